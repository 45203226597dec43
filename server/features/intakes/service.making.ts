// Enters inquiries, also those that came as a mail or as texts.

import type { Readable } from 'node:stream';
import type { Intake, NewIntake, SentIntake } from '@matterdesk/contract/intakes.ts';
import type { Once } from '../../core/once.ts';
import { invalidField } from '../../core/refusal.ts';
import type { IncomingFile } from '../../http/upload.ts';
import { requireIntake } from './service.keeping.ts';
import { MadeBefore } from './service.origins.ts';
import { findMade, type Origin } from './store.origins.ts';
import { toIntake } from './store.ts';
import { type ActorContext, asActor } from '../../context.ts';
import { addIntake } from './service.ts';
import { acceptFiles } from '../files/service.incoming.ts';
import { readFiledMail } from '../mails/read/service.filing.ts';
import { readMail } from '../mails/read/service.ts';
import { transcribeConversation } from '../messages/service.export.ts';
type Kept = { input: NewIntake; file: IncomingFile; text: string };

/**
 * Of one mail, and of texts while their intake is open, one intake is made: the first answers again.
 * @throws Refusal invalidInput, notFound for a mail or texts that the caller does not have
 */
export async function makeIntake(
  context: ActorContext,
  sent: SentIntake,
  once?: Once,
): Promise<Intake> {
  const { name, fromMail, fromNumber, ...members } = sent;
  const of = fromMail ?? fromNumber;
  if (of === undefined) {
    if (name === undefined) throw invalidField('name', 'Name is required');
    return addIntake(context, { name, ...members }, { once });
  }
  const kind = fromMail === undefined ? 'message' : 'mail';
  const origin: Origin = { userId: context.actor.id, kind, of };
  const before = await findIntakeMade(context, origin);
  if (before) return before;
  try {
    return await keepMade(context, origin, { said: { name, members }, once });
  } catch (error) {
    const made = error instanceof MadeBefore ? await findIntakeMade(context, origin) : undefined;
    if (made) return made;
    throw error;
  }
}

async function findIntakeMade(context: ActorContext, origin: Origin): Promise<Intake | undefined> {
  const db = asActor(context);
  const id = await findMade(db, origin);
  return id === undefined ? undefined : toIntake(await requireIntake(db, id));
}

async function keepMade(
  context: ActorContext,
  origin: Origin,
  { said, once }: { said: Said; once: Once | undefined },
) {
  const { input, file, text } = await (origin.kind === 'mail'
    ? intakeFromMail(context, origin.of, said)
    : intakeFromTexts(context, origin.of, said));
  const parts = (async function* only() {
    yield file;
  })();
  const placeOf = () => Promise.resolve(null);
  return acceptFiles(context, { parts, placeOf }, (_, stored) =>
    addIntake(context, input, { once, sent: { stored, origin, text } }),
  );
}

async function intakeFromMail(
  context: ActorContext,
  mailId: string,
  { name, members }: Said,
): Promise<Kept> {
  const { name: file, read } = await readFiledMail(context, mailId);
  const { from, subject, message } = await readMail(context, mailId);
  if (from === null) throw invalidField('fromMail', 'This email names no sender');
  const input = {
    ...members,
    name: name ?? (from.name || from.email).slice(0, NAME),
    email: members.email ?? from.email,
    description: members.description || message.slice(0, STORY),
  };
  return { input, file: toFile(file, await read()), text: subject };
}

async function intakeFromTexts(
  context: ActorContext,
  number: string,
  { name, members }: Said,
): Promise<Kept> {
  const { name: file, bytes } = await transcribeConversation(context, number);
  const input = {
    ...members,
    name: name ?? number,
    phoneNumber: members.phoneNumber ?? number,
  };
  return { input, file: toFile(file, bytes), text: number };
}

type Said = { name: string | undefined; members: Omit<NewIntake, 'name'> };

/** Characters of a description, and of a name. */
const [STORY, NAME] = [4000, 200];

function toFile(name: string, bytes: Readable): IncomingFile {
  return { name, bytes, isCut: () => false };
}
