// Intakes, from the first call until they are accepted or declined; their statistics and the firm's settings.

import type { Readable } from 'node:stream';
import type { IntakeSettings, StatGroup } from '@matterdesk/contract/intake-routes.ts';
import type {
  Decline,
  Intake,
  IntakeDetail,
  IntakeEntry,
  IntakePatch,
  IntakeStage,
  NewIntake,
  NewNote,
  SentIntake,
} from '@matterdesk/contract/intakes.ts';
import { type ActorContext, type Context, asActor, write } from '../../context.ts';
import { MINUTE_MS } from '../../core/durations.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery, SERIAL } from '../../http/paging.ts';
import type { IncomingFile } from '../../http/upload.ts';
import { requireAssignment } from '../access/service.ts';
import { requireAssignable } from '../accounts/service.ts';
import { type StoredBlob, storeFiles } from '../files/service.incoming.ts';
import { readFirm } from '../firm/service.ts';
import { readFiledMail } from '../mails/read/service.filing.ts';
import { readMail } from '../mails/read/service.ts';
import { transcribeConversation } from '../messages/conversations/service.ts';
import * as rules from './rules.ts';
import { listDuplicates, requireReferral } from './service.contacts.ts';
import { attachFiles } from './service.files.ts';
import {
  emitIntake,
  lockIntake,
  newEntry,
  requireCleared,
  requireIntake,
  saveIntake,
  saveIntakeNames,
} from './service.record.ts';
import { listFiles } from './store.files.ts';
import * as store from './store.ts';
import { findByOrigin, toIntake, type Origin } from './store.ts';

/** The stored mail or texts that an intake is made from. */
type StoredOrigin = { stored: StoredBlob[]; origin: store.Origin; text: string };
type AddOptions = { once?: IdempotencyKey | undefined; sent?: StoredOrigin };

type Query = PageQuery & {
  stage?: IntakeStage[] | undefined;
  owner?: string | undefined;
  type?: string | undefined;
  spam?: string | undefined;
};

const DUE = /^(infinity|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
/** Default page size. */
const PAGE = 50;

/** Another request made an intake from the same mail or texts. */
class OriginTaken extends Error {}

/** One page, soonest due first. */
export async function listIntakes(context: ActorContext, query: Query) {
  const { limit = PAGE, cursor, spam, ...others } = query;
  const after = cursor ? readDueCursor(cursor) : [];
  const db = asActor(context);
  const filter = { ...others, isSpam: spam === '1' };
  const [rows, total, { overdue, ...counts }] = await Promise.all([
    store.listIntakes(db, filter, { limit: limit + 1, after }),
    store.countIntakes(db, filter),
    store.countStages(db),
  ]);
  const keyOf = (row: store.ShownRow) => [row.due_at?.toISOString() ?? 'infinity', row.number];
  const { page, nextCursor } = cutPage(rows, limit, keyOf);
  return {
    intakes: page.map(store.toIntake),
    counts,
    overdue,
    nextCursor,
    ...describeTotal(total),
  };
}

/** @throws Refusal notFound */
export async function readIntake(context: ActorContext, id: string): Promise<IntakeDetail> {
  const db = asActor(context);
  const row = await requireIntake(db, id);
  const [answers, activity, files, duplicates] = await Promise.all([
    store.findAnswers(db, id),
    store.listEntries(db, id, context.actor.id),
    listFiles(db, id),
    listDuplicates(db, row),
  ]);
  return { intake: store.toIntake(row), answers, activity, files, duplicates };
}

/** @throws Refusal invalidInput for an unknown owner @throws OriginTaken */
async function addIntake(
  context: ActorContext,
  input: NewIntake,
  { once, sent }: AddOptions = {},
): Promise<Intake> {
  const { responseMinutes } = await store.findSettings(context.db);
  // The outcome that is kept for a repeat holds no value of the intake.
  const { id } = await write(
    context,
    async (unit) => {
      if (sent) await claimOrigin(unit.trx, sent.origin);
      const owner = input.owner ?? context.actor.id;
      await requireIntakeOwner(unit, owner, [context.actor.id]);
      const receivedAt = new Date();
      const responseDueAt = new Date(receivedAt.getTime() + responseMinutes * MINUTE_MS);
      const row = toRow(input, { responseDueAt, receivedAt });
      const added = await store.insertIntake(unit.trx, {
        ...row,
        owner_id: owner,
        entered_by: context.actor.id,
      });
      await store.insertEntries(unit.trx, added, [newEntry(context.actor, 'received')]);
      if (sent) await attachOrigin(context, unit, { id: added, sent });
      await unit.record({ ...rules.about(added), action: 'created', after: row });
      const found = await requireIntake(unit.trx, added);
      await saveIntakeNames(unit, found);
      await emitIntake(unit, 'intake.created', found);
      return { id: added };
    },
    once && { ...once, requireVisible: (trx, first) => requireIntake(trx, first.id) },
  );
  return store.toIntake(await requireIntake(asActor(context), id));
}

/** Makes others wait until the transaction ends. @throws OriginTaken */
async function claimOrigin(trx: Transaction, origin: store.Origin): Promise<void> {
  await store.lockOrigin(trx, origin);
  if ((await store.findByOrigin(trx, origin)) !== undefined) throw new OriginTaken();
}

async function attachOrigin(
  { actor }: ActorContext,
  unit: Unit,
  { id, sent: { stored, origin, text } }: { id: string; sent: StoredOrigin },
) {
  await store.insertOrigin(unit.trx, origin, id);
  const names = await attachFiles(unit, id, { stored, by: actor.id });
  await store.insertEntries(unit.trx, id, [
    { ...newEntry(actor, origin.kind, text), isOwn: true },
    ...names.map((name) => newEntry(actor, 'file', name)),
  ]);
}

async function requireIntakeOwner(unit: Unit, owner: string, already: string[]) {
  await requireAssignable(unit.trx, { ids: [owner], path: 'owner', already });
}

/** @throws Refusal notFound, invalidInput, conflict for a stage that has to wait */
export async function changeIntake(
  context: ActorContext,
  id: string,
  patch: IntakePatch,
): Promise<Intake> {
  const { owner, stage, isSpam, ...fields } = patch;
  return write(context, async (unit) => {
    const before = await lockIntake(unit.trx, id);
    rules.requireNotErased(before);
    const change = rules.toColumns(fields);
    const merged = { ...before, ...change };
    rules.requireReachable(merged);
    const added = await assignOwner(context, unit, { before, owner });
    const moved = await changeStage(context, unit, { merged, stage });
    if (Object.keys(change).length > 0) added.push(newEntry(context.actor, 'changed'));
    return saveIntake(unit, before, {
      change: {
        ...change,
        ...moved.change,
        ...(owner !== undefined && { owner_id: owner }),
        ...(isSpam !== undefined && { is_spam: isSpam }),
      },
      entries: [...added, ...moved.entries],
    });
  });
}

/** @throws Refusal notPermitted, conflict when a wall keeps the new owner out */
async function assignOwner(
  { actor }: ActorContext,
  unit: Unit,
  { before, owner }: { before: store.IntakeRow; owner: string | undefined },
): Promise<store.NewEntry[]> {
  if (owner === undefined || owner === before.owner_id) return [];
  await requireIntakeOwner(unit, owner, []);
  if (before.is_walled) {
    const matter = { kind: 'intakes', id: before.id } as const;
    await requireAssignment(unit, actor, { matter, assigned: [owner] });
  }
  return [newEntry(actor, 'owner', owner)];
}

async function changeStage(
  { actor }: ActorContext,
  unit: Unit,
  { merged, stage }: { merged: store.IntakeRow; stage: IntakeStage | undefined },
) {
  if (stage === undefined || stage === merged.stage) return { change: {}, entries: [] };
  rules.requireMove(merged.stage, stage);
  if (stage === 'consultScheduled') {
    if (merged.consult_at === null) throw invalidField('consultAt', 'Consult At is required');
    await requireCleared(unit.trx, merged);
  }
  const isReopened = !rules.isOpen(merged.stage);
  const reopening = { closed_at: null, reason: null, reason_note: null, referred_to: null };
  return {
    change: {
      stage,
      ...(isReopened && reopening),
    },
    entries: [newEntry(actor, isReopened ? 'reopened' : 'stage', stage)],
  };
}

/** Adds a note; a call counts as the first response. @throws Refusal notFound, conflict */
export async function addIntakeNote(
  context: ActorContext,
  id: string,
  { kind, text, once }: NewNote & { once?: IdempotencyKey | undefined },
): Promise<IntakeEntry> {
  const { entryId } = await write(
    context,
    async (unit) => {
      const before = await lockIntake(unit.trx, id);
      rules.requireNotErased(before);
      const [entry = ''] = await store.insertEntries(unit.trx, id, [
        newEntry(context.actor, kind, text),
      ]);
      const isFirst = kind === 'call' && before.first_response_at === null;
      const change = isFirst ? { first_response_at: new Date() } : {};
      await saveIntake(unit, before, { change, action: 'noted' });
      return { entryId: entry };
    },
    once && { ...once, requireVisible: (trx) => requireIntake(trx, id) },
  );
  return store.findEntry(asActor(context), entryId, context.actor.id);
}

/** Declines, or refers to a contact. @throws Refusal notFound, conflict */
export async function declineIntake(
  context: ActorContext,
  id: string,
  input: Decline,
): Promise<Intake> {
  const { reason, note, referredTo } = input;
  return write(context, async (unit) => {
    const before = await lockIntake(unit.trx, id);
    if (before.stage === 'accepted') throw rules.acceptedAlready();
    if (!rules.isOpen(before.stage)) throw new Refusal('conflict', 'This intake is closed already');
    const referred = referredTo === null ? null : await requireReferral(unit.trx, referredTo);
    const stage = referredTo === null ? ('declined' as const) : ('referred' as const);
    const now = new Date();
    const closing = { stage, reason, reason_note: note, referred_to: referred };
    return saveIntake(unit, before, {
      change: { ...closing, closed_at: now, due_at: null },
      entries: [newEntry(context.actor, 'declined', reason)],
      action: stage,
    });
  });
}

/** Statistics of the intakes that the user may see; days are the firm's. */
export async function readIntakeStats(
  context: ActorContext,
  query: { from: string; to: string; by: StatGroup },
) {
  const { timeZone } = await readFirm(context);
  return { rows: await store.listStats(asActor(context), { ...query, timeZone }) };
}

export async function readIntakeSettings(context: Context) {
  return { settings: await store.findSettings(context.db) };
}

/** The route admits administrators only. */
export async function changeIntakeSettings(context: ActorContext, settings: IntakeSettings) {
  return write(context, async (unit) => {
    const before = await store.findSettings(unit.trx);
    await store.updateSettings(unit.trx, settings);
    const entry = { action: 'settingsChanged', entity: 'intakeSettings', entityId: null } as const;
    await unit.record({ ...entry, before, after: settings });
    return { settings };
  });
}

function readDueCursor(cursor: string): string[] {
  const key = readCursor(cursor, [DUE, SERIAL]);
  if (key[0] !== 'infinity' && Number.isNaN(Date.parse(key[0] ?? '')))
    throw invalidField('cursor', 'Invalid cursor');
  return key;
}

type Times = { receivedAt: Date; responseDueAt: Date };

function toRow(input: Omit<NewIntake, 'owner'>, { receivedAt, responseDueAt }: Times) {
  const { parties, nextStep = rules.FIRST_STEP, dueAt } = input;
  const row = {
    name: input.name,
    type: input.type,
    phone_number: input.phoneNumber,
    email: input.email,
    address: input.address,
    description: input.description,
    doi: input.DOI,
    sol: input.SOL,
    source: input.source,
    consult_at: input.consultAt === null ? null : new Date(input.consultAt),
    next_step: nextStep,
    due_at: dueAt ? new Date(dueAt) : responseDueAt,
    response_due_at: responseDueAt,
    received_at: receivedAt,
  };
  return { ...row, ...rules.searchColumn({ ...row, parties }), parties: JSON.stringify(parties) };
}

// Makes intakes by hand, or from a mail or a conversation by text.

type NamedInput = { name: string | undefined; members: Omit<NewIntake, 'name'> };
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
  once?: IdempotencyKey,
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
  { given, once }: { given: NamedInput; once: IdempotencyKey | undefined },
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
  { name, members }: NamedInput,
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
  { name, members }: NamedInput,
): Promise<FromOrigin> {
  const { name: file, bytes } = await transcribeConversation(context, number);
  const phoneNumber = members.phoneNumber ?? number;
  const input = { ...members, name: name ?? number, phoneNumber };
  return { input, file: toFile(file, bytes), text: number };
}

function toFile(name: string, bytes: Readable): IncomingFile {
  return { name, bytes };
}
