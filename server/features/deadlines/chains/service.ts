// Proposals to move deadlines whose trigger moved. Nothing moves before another person decides.

import { randomUUID } from 'node:crypto';
import type { Jurisdiction } from '@matterdesk/contract/court-rules.ts';
import type { Proposal, ProposalDecision } from '@matterdesk/contract/proposals.ts';
import { type ActorContext, type Context, asActor, write } from '../../../context.ts';
import type { Actor } from '../../../core/actor.ts';
import { isId, NIL_ID } from '../../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../../core/refusal.ts';
import { mapInSlices } from '../../../core/time-slices.ts';
import type { ProposalsTable } from '../../../db/schema-deadlines.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { listPasswordPeers } from '../../accounts/service.ts';
import { type Court, countStep } from '../counting/rules.ts';
import * as counting from '../counting/store.ts';
import * as deadlines from '../rules.ts';
import {
  conflict,
  lockDeadline,
  requiresSecondPerson,
  saveDeadlineChange,
  type ChangedDeadline,
} from '../service.changes.ts';
import type { DeadlineRow } from '../store.ts';
import {
  mayDecide,
  toProposal,
  type ItemRow,
  type ProposalRow,
  type Reader,
  recount,
  type Dependent,
  type Recounted,
  toCaseNews,
} from './rules.ts';
import * as store from './store.ts';

type DecidedProposal = {
  item: ItemRow;
  proposal: ProposalRow;
  isAccepted: boolean;
  reason: string;
};

type CountedDeadline = Awaited<ReturnType<typeof store.listDependentsOfJurisdiction>>[number];

/** The trigger that moved, and the open deadlines that count from it directly. */
type Cause = {
  type: ProposalsTable['trigger_type'];
  id: string;
  title: string;
  /** The user who moved it. */
  by: string;
  roots: string[];
};

const MAX_SHOWN = 100;
/** Deadlines counted again between two reads. */
const BATCH = 500;

/** Open proposals, newest first. */
export async function listProposals(context: ActorContext): Promise<Proposal[]> {
  const db = asActor(context);
  const reader = await readerOf(context, db);
  const rows = await store.listOpenProposals(db, MAX_SHOWN);
  return rows.map((row) => toProposal(row, reader));
}

/** Proposes to move what counts from changed events, in their transaction. */
export async function proposeAfterEvents(
  context: ActorContext,
  unit: Unit,
  { ids, event }: { ids: string[]; event: { id: string; title: string } },
): Promise<Proposal | null> {
  const roots = await store.listDependentsOfEvents(unit.trx, ids);
  const cause = { type: 'event' as const, ...event, by: context.actor.id, roots };
  const id = await openProposal(unit, cause);
  const found = id === null ? undefined : await store.findProposal(unit.trx, id);
  return found ? toProposal(found, await readerOf(context, unit.trx)) : null;
}

/** Proposes to move what a court's changed calendar counts differently, in its transaction. */
export async function proposeAfterHolidays(
  unit: Unit,
  actor: Actor,
  { before, after }: { before: Jurisdiction; after: Jurisdiction },
): Promise<void> {
  const { id, name: title } = after;
  const isMoved = ({ counting, trigger_date: date }: CountedDeadline) => {
    if (date === null) return false;
    const [was, is] = [before, after].map((court) =>
      countStep(court, { counting, date, title: '' }),
    );
    return was?.date !== is?.date;
  };
  const roots: string[] = [];
  let batch: CountedDeadline[] = [];
  do {
    const last = batch.at(-1)?.id ?? NIL_ID;
    batch = await store.listDependentsOfJurisdiction(unit.trx, { id, after: last, limit: BATCH });
    const moved = await mapInSlices(batch, isMoved);
    roots.push(...batch.filter((_, index) => moved[index]).map((row) => row.id));
  } while (batch.length === BATCH);
  await openProposal(unit, { type: 'jurisdiction', id, title, by: actor.id, roots });
}

/** Before the body is validated, so that a refusal says nothing about it. @throws Refusal notPermitted */
export async function requireProposalDecider(context: ActorContext, id: string): Promise<void> {
  const db = asActor(context);
  const found = isId(id) ? await store.findProposal(db, id) : undefined;
  const open = found?.items.filter(({ status }) => status === 'open') ?? [];
  if (!found || open.length === 0) return;
  const reader = await readerOf(context, db);
  if (!open.some((item) => mayDecide(found, item, reader))) throw new Refusal('notPermitted');
}

/**
 * Moves the accepted deadlines. The others that the actor may decide keep their dates, for the reason.
 * @throws Refusal notFound, notPermitted, invalidInput, conflict when nothing is open any more
 */
export async function decideProposal(
  context: ActorContext,
  id: string,
  { accept, reason }: ProposalDecision,
): Promise<Proposal> {
  return write(context, async (unit) => {
    const reader = await readerOf(context, unit.trx);
    const proposal = await lockProposal(unit, id);
    const open = proposal.items.filter(({ status }) => status === 'open');
    if (open.length === 0) throw conflict('This proposal is decided already');
    const mine = open.filter((item) => mayDecide(proposal, item, reader));
    requireAccepted(accept, { open, mine });
    if (reason === '' && mine.some((item) => !accept.includes(item.deadline_id)))
      throw invalidField('reason', 'Please enter a reason');
    for (const item of mine) {
      const isAccepted = accept.includes(item.deadline_id);
      await settleItem(context, unit, { ...reader, item, proposal, isAccepted, reason });
    }
    await proposeAfterAccepted(unit, proposal, { by: context.actor.id, accept });
    await unit.record({ entity: 'proposal', entityId: id, ...caseOf(open), action: 'decided' });
    await publishProposal(unit, 'proposal.decided', id);
    const after = await store.findProposal(unit.trx, id);
    if (!after) throw notFound('Proposal');
    return toProposal(after, reader);
  });
}

async function readerOf(context: ActorContext, db: Scoped): Promise<Reader> {
  const { id, permissions } = context.actor;
  const isDualControl = await requiresSecondPerson(context, db);
  const selfIds = await listPasswordPeers(db, id);
  return { id, editsCalendar: permissions.editCalendar, isDualControl, selfIds };
}

/** Locks the deadlines first, as every change of them does, and reads the proposal again. */
async function lockProposal(unit: Unit, id: string): Promise<ProposalRow> {
  const found = isId(id) ? await store.findProposal(unit.trx, id) : undefined;
  if (!found) throw notFound('Proposal');
  const ids = found.items.map((item) => item.deadline_id);
  await store.lockInOrder(unit.trx, ids);
  return (await store.findProposal(unit.trx, id)) ?? found;
}

async function settleItem(
  context: Context,
  unit: Unit,
  { id: by, isDualControl, item, proposal, isAccepted, reason }: Reader & DecidedProposal,
): Promise<void> {
  const before = await lockDeadline(unit, item.deadline_id);
  const key = { proposalId: proposal.id, deadlineId: item.deadline_id };
  await store.decideItem(unit.trx, key, { by, isAccepted, reason });
  const to = item.to_date === null ? { status: 'vacated' } : { date: item.to_date };
  const isWithoutSecond = before.hard && !isDualControl;
  const entry = {
    by,
    action: isAccepted ? 'recounted' : 'kept',
    from: deadlines.momentOf(before),
    to: { ...to, ...(isWithoutSecond && { withoutSecond: true }) },
    reason,
  };
  const { to_date: date, trigger_date: triggerDate, lines } = item;
  const counted = { date, triggerDate, lines, by: proposal.by?.id ?? null };
  const change = isAccepted ? deadlines.recountedChange(before, counted) : {};
  await saveDeadlineChange(context, unit, { before, change, entries: [entry], isProposed: true });
}

/** Proposes to move what has come to count from a moved deadline since the proposal was opened. */
async function proposeAfterAccepted(
  unit: Unit,
  { items }: ProposalRow,
  { by, accept }: { by: string; accept: string[] },
): Promise<void> {
  const known = new Set(items.map((item) => item.deadline_id));
  for (const { deadline_id: id, title } of items) {
    if (!accept.includes(id)) continue;
    const all = await store.listDependentsOfDeadline(unit.trx, id);
    const roots = all.filter((root) => !known.has(root));
    await openProposal(unit, { type: 'deadline', id, title, by, roots });
  }
}

function requireAccepted(
  accept: readonly string[],
  { open, mine }: Record<'open' | 'mine', ItemRow[]>,
): void {
  const isIn = (items: ItemRow[], id: string) => items.some((item) => item.deadline_id === id);
  if (!accept.every((id) => isIn(open, id)))
    throw invalidField('accept', 'Accept must name deadlines of the proposal');
  if (mine.length === 0 || !accept.every((id) => isIn(mine, id))) throw new Refusal('notPermitted');
}

/** The audit entry's case, for a proposal about one matter. */
function caseOf(items: readonly ItemRow[]) {
  const ids = new Set(items.map((item) => item.case_id));
  const [id] = ids;
  return ids.size === 1 && typeof id === 'string' ? { caseId: id } : {};
}

/**
 * Proposes in one list to move what counts from a trigger, directly or through other deadlines. Replaces what earlier
 * proposals say about the same deadlines.
 * @returns the proposal's id, or null when no date would change
 */
async function openProposal(unit: Unit, cause: Cause): Promise<string | null> {
  if (cause.roots.length === 0) return null;
  const { trx } = unit;
  const rows = await store.lockChain(trx, cause.roots);
  const roots = new Set(cause.roots);
  const moved = recount(rows, { roots, courts: await findCourts(trx, rows) });
  const replaced = await store.replaceItems(
    trx,
    rows.map(({ id }) => id),
  );
  const id = moved.size > 0 ? await insertProposal(unit, cause, { rows, moved }) : null;
  for (const earlier of replaced) await publishProposal(unit, 'proposal.decided', earlier);
  if (id !== null) await publishProposal(unit, 'proposal.opened', id);
  return id;
}

async function findCourts(trx: Transaction, rows: Dependent[]): Promise<Map<string, Court>> {
  const courts = new Map<string, Court>();
  for (const id of new Set(rows.map((row) => row.counting.jurisdiction))) {
    const court = await counting.findJurisdiction(trx, id);
    if (court) courts.set(id, court);
  }
  return courts;
}

type Chain = { rows: Awaited<ReturnType<typeof store.lockChain>>; moved: Map<string, Recounted> };

async function insertProposal(unit: Unit, cause: Cause, { rows, moved }: Chain): Promise<string> {
  const { type: trigger_type, id: trigger_id, title: trigger_title, by: by_id } = cause;
  const id = randomUUID();
  const items = rows.flatMap((row) => {
    const to = moved.get(row.id);
    if (!to) return [];
    const { case_id, date: from_date } = row;
    const dates = { from_date, to_date: to.to, trigger_date: to.triggerDate };
    return [{ deadline_id: row.id, case_id, ...dates, lines: to.lines }];
  });
  const head = { id, trigger_type, trigger_id, trigger_title, by_id };
  await store.insertProposal(unit.trx, head, items);
  await store.insertEntries(
    unit.trx,
    items.map(({ deadline_id, case_id, from_date, to_date }) => ({
      deadline_id,
      case_id,
      by_id,
      action: 'recountProposed',
      from_state: { date: from_date },
      to_state: to_date === null ? { status: 'vacated' } : { date: to_date },
      reason: trigger_title,
    })),
  );
  const byCase = Map.groupBy(items, (item) => item.case_id);
  await unit.recordAll(
    [...byCase].map(([caseId, of]) => ({
      entity: 'proposal' as const,
      entityId: id,
      ...(caseId !== null && { caseId }),
      action: 'created',
      after: { ...head, deadlines: of.map((item) => item.deadline_id) },
    })),
  );
  return id;
}

/** Proposes to move what counts from a changed deadline, and adjusts what is proposed for it. */
export async function proposeAfterChange(
  unit: Unit,
  { before, after, by, isProposed }: ChangedDeadline,
): Promise<void> {
  if (isProposed) return;
  const { id, title, date, status } = after;
  if (date === before.date && status === before.status) return;
  await store.adjustItem(unit.trx, { id, date, isOpen: status === 'open' });
  const isCancelled = (row: DeadlineRow) => row.status === 'vacated';
  if (by === null || (date === before.date && isCancelled(after) === isCancelled(before))) return;
  const roots = await store.listDependentsOfDeadline(unit.trx, id);
  await openProposal(unit, { type: 'deadline', id, title, by, roots });
}

/** Emits a proposal to those who see its matters. */
async function publishProposal(
  unit: Unit,
  name: 'proposal.opened' | 'proposal.decided',
  id: string,
): Promise<void> {
  const found = await store.findProposal(unit.trx, id);
  for (const part of found ? toCaseNews(found) : []) unit.emit(name, part);
}
