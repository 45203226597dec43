// Makes intakes by hand, or from a mail or a conversation by text.

import type { Readable } from 'node:stream';
import type { Intake, NewIntake, SentIntake } from '@matterdesk/contract/intakes.ts';
import { type ActorContext, asActor } from '../../context.ts';
import type { Once } from '../../core/once.ts';
import { invalidField } from '../../core/refusal.ts';
import type { IncomingFile } from '../../http/upload.ts';
import { storeFiles } from '../files/service.incoming.ts';
import { readFiledMail } from '../mails/read/service.filing.ts';
import { readMail } from '../mails/read/service.ts';
import { transcribeConversation } from '../messages/conversations/service.ts';
import { requireIntake } from './service.record.ts';
import { addIntake, OriginTaken } from './service.ts';
import { findByOrigin, toIntake, type Origin } from './store.ts';

type Given = { name: string | undefined; members: Omit<NewIntake, 'name'> };
type FromOrigin = { input: NewIntake; file: IncomingFile; text: string };

const MAX_DESCRIPTION = 4000;
const MAX_NAME = 200;

/**
 * A mail makes one intake, and so do texts while that intake is open: later requests return it.
 * @throws Refusal invalidInput, notFound for a mail or texts that the caller does not have
 */
export async function makeIntake(
  context: ActorContext,
  sent: SentIntake,
  once?: Once,
): Promise<{ intake: Intake; isNew: boolean }> {
  const { name, fromMail, fromNumber, ...members } = sent;
  const of = fromMail ?? fromNumber;
  if (of === undefined) {
    if (name === undefined) throw invalidField('name', 'Name is required');
    return { intake: await addIntake(context, { name, ...members }, { once }), isNew: true };
  }
  const kind = fromMail === undefined ? 'message' : 'mail';
  const origin: Origin = { userId: context.actor.id, kind, of };
  const before = await findIntakeFrom(context, origin);
  if (before) return { intake: before, isNew: false };
  try {
    const given = { name, members };
    return { intake: await addFromOrigin(context, origin, { given, once }), isNew: true };
  } catch (error) {
    const made = error instanceof OriginTaken ? await findIntakeFrom(context, origin) : undefined;
    if (made) return { intake: made, isNew: false };
    throw error;
  }
}

async function findIntakeFrom(context: ActorContext, origin: Origin): Promise<Intake | undefined> {
  const db = asActor(context);
  const id = await findByOrigin(db, origin);
  return id === undefined ? undefined : toIntake(await requireIntake(db, id));
}

async function addFromOrigin(
  context: ActorContext,
  origin: Origin,
  { given, once }: { given: Given; once: Once | undefined },
): Promise<Intake> {
  const { input, file, text } = await (origin.kind === 'mail'
    ? fromMail(context, origin.of, given)
    : fromTexts(context, origin.of, given));
  const parts = (async function* only() {
    yield file;
  })();
  return storeFiles(context, { parts }, (stored) =>
    addIntake(context, input, { once, sent: { stored, origin, text } }),
  );
}

async function fromMail(
  context: ActorContext,
  mailId: string,
  { name, members }: Given,
): Promise<FromOrigin> {
  const { name: file, read } = await readFiledMail(context, mailId);
  const { from, subject, message } = await readMail(context, mailId);
  if (from === null) throw invalidField('fromMail', 'This email names no sender');
  const input = {
    ...members,
    name: name ?? (from.name || from.email).slice(0, MAX_NAME),
    email: members.email ?? from.email,
    description: members.description || message.slice(0, MAX_DESCRIPTION),
  };
  return { input, file: toFile(file, await read()), text: subject };
}

async function fromTexts(
  context: ActorContext,
  number: string,
  { name, members }: Given,
): Promise<FromOrigin> {
  const { name: file, bytes } = await transcribeConversation(context, number);
  const phoneNumber = members.phoneNumber ?? number;
  const input = { ...members, name: name ?? number, phoneNumber };
  return { input, file: toFile(file, bytes), text: number };
}

function toFile(name: string, bytes: Readable): IncomingFile {
  return { name, bytes };
}
