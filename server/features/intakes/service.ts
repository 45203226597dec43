// Intakes, from the first call until they are a matter or declined.

import type {
  Decline,
  Intake,
  IntakeDetail,
  IntakeEntry,
  IntakePatch,
  IntakeStage,
  NewIntake,
  NewNote,
} from '@matterdesk/contract/intakes.ts';
import { TOTAL_CAP } from '@matterdesk/contract/paging.ts';
import type { Actor } from '../../core/actor.ts';
import type { Once } from '../../core/once.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import type { Stored } from '../files/service.incoming.ts';
import * as rules from './rules.ts';
import { listDuplicates } from './service.duplicates.ts';
import {
  announceIntake,
  entryOf,
  keepIntake,
  lockIntake,
  nameIntake,
  requireIntake,
} from './service.keeping.ts';
import { requireUnmade } from './service.origins.ts';
import * as entries from './store.entries.ts';
import { listFiles } from './store.files.ts';
import * as origins from './store.origins.ts';
import { findSettings } from './store.settings.ts';
import * as store from './store.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { attachFiles } from './service.files.ts';
import { requireAssignable } from '../accounts/service.ts';
import { requireAssignment } from '../access/service.ts';
import { isIntakeCleared, requireIntakeContact } from './service.checks.ts';

/** The mail or the texts of which an intake is made, stored. */
type Sent = { stored: Stored[]; origin: origins.Origin; text: string };
type Entering = { once?: Once | undefined; sent?: Sent };

type Query = PageQuery & {
  stage?: IntakeStage[] | undefined;
  owner?: string | undefined;
  type?: string | undefined;
  spam?: string | undefined;
};

const DUE = /^(infinity|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
const SERIAL = /^\d{1,18}$/;
const PAGE = 50;
const MINUTE = 60_000;

/** One page, the soonest due first. */
export async function listIntakes(context: ActorContext, query: Query) {
  const { limit = PAGE, cursor, spam, ...others } = query;
  const after = cursor ? readDueCursor(cursor) : [];
  const db = asActor(context);
  const filter = { ...others, isSpam: spam === '1' };
  const [rows, total, { overdue, ...counts }] = await Promise.all([
    store.listIntakes(db, filter, { limit: limit + 1, after }),
    store.countIntakes(db, filter, TOTAL_CAP + 1),
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
    entries.listEntries(db, id, context.actor.id),
    listFiles(db, id),
    listDuplicates(db, row),
  ]);
  return { intake: store.toIntake(row), answers, activity, files, duplicates };
}

/** @throws Refusal invalidInput for an unknown owner @throws MadeBefore */
export async function addIntake(
  context: ActorContext,
  input: NewIntake,
  { once, sent }: Entering = {},
): Promise<Intake> {
  const { responseMinutes } = await findSettings(context.db);
  // The outcome that is kept for a repeat holds no value of the intake.
  const { id } = await write(
    context,
    async (unit) => {
      if (sent) await requireUnmade(unit.trx, sent.origin);
      const owner = input.owner ?? context.actor.id;
      await requireIntakeOwner(unit, owner, [context.actor.id]);
      const receivedAt = new Date();
      const responseDueAt = new Date(receivedAt.getTime() + responseMinutes * MINUTE);
      const row = toRow(input, { responseDueAt, receivedAt });
      const added = await store.insertIntake(unit.trx, {
        ...row,
        owner_id: owner,
        entered_by: context.actor.id,
      });
      await entries.insertEntries(unit.trx, added, [entryOf(context.actor, 'received')]);
      if (sent) await attachOrigin(unit, { actor: context.actor, id: added }, sent);
      await unit.record({ ...rules.about(added), action: 'created', after: row });
      const found = await requireIntake(unit.trx, added);
      await nameIntake(unit, found);
      await announceIntake(unit, 'intake.created', found);
      return { id: added };
    },
    once && { ...once, again: (trx, first) => requireIntake(trx, first.id) },
  );
  return store.toIntake(await requireIntake(asActor(context), id));
}

async function attachOrigin(
  unit: Unit,
  { actor, id }: { actor: Actor; id: string },
  { stored, origin, text }: Sent,
) {
  await origins.keepOrigin(unit.trx, origin, id);
  const names = await attachFiles(unit, id, { stored, by: actor.id });
  await entries.insertEntries(unit.trx, id, [
    { ...entryOf(actor, origin.kind, text), isOwn: true },
    ...names.map((name) => entryOf(actor, 'file', name)),
  ]);
}

async function requireIntakeOwner(unit: Unit, owner: string, already: string[]) {
  const asked = { ids: [owner], path: 'owner', already };
  await requireAssignable(unit.trx, asked);
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
    rules.requireKept(before);
    const change = rules.toColumns(fields);
    const merged = { ...before, ...change };
    rules.requireReachable(merged);
    const added = await handOnIntake(unit, { actor: context.actor, before, owner });
    const moved = await moveIntake(unit, { actor: context.actor, merged, stage });
    if (Object.keys(change).length > 0) added.push(entryOf(context.actor, 'changed'));
    return keepIntake(unit, before, {
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

/** Another owner, who has to be let in, and must not be screened. */
async function handOnIntake(
  unit: Unit,
  { actor, before, owner }: { actor: Actor; before: store.IntakeRow; owner: string | undefined },
): Promise<entries.NewEntry[]> {
  if (owner === undefined || owner === before.owner_id) return [];
  await requireIntakeOwner(unit, owner, []);
  if (before.is_walled) {
    const matter = { kind: 'intakes', id: before.id } as const;
    await requireAssignment(unit, actor, { matter, assigned: [owner] });
  }
  return [entryOf(actor, 'owner', owner)];
}

async function moveIntake(
  unit: Unit,
  {
    actor,
    merged,
    stage,
  }: { actor: Actor; merged: store.IntakeRow; stage: IntakeStage | undefined },
) {
  if (stage === undefined || stage === merged.stage) return { change: {}, entries: [] };
  rules.requireMove(merged.stage, stage);
  if (stage === 'consultScheduled') {
    if (merged.consult_at === null) throw invalidField('consultAt', 'Consult At is required');
    if (!(await isIntakeCleared(unit.trx, merged))) throw rules.unchecked();
  }
  const isReopened = !rules.isOpen(merged.stage);
  const reopening = { closed_at: null, reason: null, reason_note: null, referred_to: null };
  return {
    change: {
      stage,
      ...(isReopened && reopening),
      // Leaving `new` is an answer, unless it goes back there.
      ...(merged.first_response_at === null && { first_response_at: new Date() }),
    },
    entries: [entryOf(actor, isReopened ? 'reopened' : 'stage', stage)],
  };
}

/** A call is a first response. */
export async function addIntakeNote(
  context: ActorContext,
  id: string,
  { kind, text, once }: NewNote & { once?: Once | undefined },
): Promise<IntakeEntry> {
  const { entryId } = await write(
    context,
    async (unit) => {
      const before = await lockIntake(unit.trx, id);
      rules.requireKept(before);
      const [entry = ''] = await entries.insertEntries(unit.trx, id, [
        entryOf(context.actor, kind, text),
      ]);
      const isFirst = kind === 'call' && before.first_response_at === null;
      const change = isFirst ? { first_response_at: new Date() } : {};
      await keepIntake(unit, before, { change, action: 'noted' });
      return { entryId: entry };
    },
    once && { ...once, again: (trx) => requireIntake(trx, id) },
  );
  return entries.findEntry(asActor(context), entryId, context.actor.id);
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
    if (before.stage === 'accepted') throw rules.isMatter();
    if (!rules.isOpen(before.stage)) throw new Refusal('conflict', 'This intake is closed already');
    const referred = referredTo === null ? null : await requireIntakeContact(unit.trx, referredTo);
    const stage = referredTo === null ? ('declined' as const) : ('referred' as const);
    const now = new Date();
    const closing = { stage, reason, reason_note: note, referred_to: referred };
    return keepIntake(unit, before, {
      change: { ...closing, closed_at: now, due_at: null },
      entries: [entryOf(context.actor, 'declined', reason)],
      action: stage,
    });
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
  return { ...row, ...rules.derived({ ...row, parties }), parties: JSON.stringify(parties) };
}
