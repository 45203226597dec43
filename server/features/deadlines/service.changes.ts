// Changes of a deadline, and the second person whom some of them need.

import type {
  Deadline,
  Decision,
  NewChange,
  Verification,
} from '@matterdesk/contract/deadlines.ts';
import { type ActorContext, type Context, hook, write } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { invalidField, notFound, Refusal } from '../../core/refusal.ts';
import type { PendingChange } from '../../db/schema-deadlines.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { listPasswordPeers } from '../accounts/service.ts';
import { readFirm } from '../firm/service.ts';
import { settleNotices } from '../notices/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Row = store.DeadlineRow;
type Change = Pick<PendingChange, 'action' | 'date' | 'time' | 'reason' | 'proof'>;

export type ChangedDeadline = {
  before: Row;
  after: Row;
  by: string | null;
  /** Accepted from a proposal, which also moves what counts from the deadline. */
  isProposed?: boolean;
};

/** A deadline was changed; in the transaction. */
export const deadlineChanged = hook<[unit: Unit, change: ChangedDeadline]>();

/** The date of a case's limitation moved, or a change of it began or ceased to wait; in the transaction. */
export const limitationMoved = hook<[unit: Unit, caseId: string, date: string]>();

const SAME_PERSON =
  'Ask another person: one of you set the other’s password with a link, so you count as one';
const WITHOUT_SECOND = { withoutSecond: true };

const actionNames = {
  move: 'moved',
  complete: 'completed',
  vacate: 'vacated',
  reopen: 'reopened',
} as const;

/**
 * Verifies a hard date by entering it again; a different one is recorded, and refused.
 * @throws Refusal notFound, notPermitted for the person who entered the date, conflict
 */
export async function verifyDeadline(
  context: ActorContext,
  id: string,
  entered: Verification,
): Promise<Deadline> {
  const by = context.actor.id;
  const outcome = await write(context, async (unit) => {
    const { before, isDualControl } = await lockDeadlineFor(context, unit, { id, act: 'verify' });
    if (!before.hard) throw conflict('Only hard deadlines are verified');
    if (isDualControl) await requireOtherPerson(unit, context.actor, before.dated_by);
    requireOpen(before);
    if (before.verified_at) throw conflict('This date is verified already');
    const difference = rules.difference(before, entered);
    const [from, to] = [rules.momentOf(before), rules.momentOf(entered)];
    if (difference !== undefined) {
      await store.insertEntry(unit.trx, before, { by, action: 'mismatched', from, to });
      return { difference };
    }
    const change = { verified_by: by, verified_at: new Date(), floor_date: null };
    const entry = { by, action: 'verified', to: { ...to, ...(!isDualControl && WITHOUT_SECOND) } };
    return { row: await saveDeadlineChange(context, unit, { before, change, entries: [entry] }) };
  });
  if (outcome.row) return store.toDeadline(outcome.row);
  throw conflict(outcome.difference);
}

/** @throws Refusal notFound, notPermitted for others than the owner, conflict */
export async function acknowledgeDeadline(context: ActorContext, id: string): Promise<Deadline> {
  const after = await write(context, async (unit) => {
    const { before } = await lockDeadlineFor(context, unit, { id, act: 'acknowledge' });
    requireOpen(before);
    if (before.acknowledged_at) return before;
    const change = { acknowledged_by: context.actor.id, acknowledged_at: new Date() };
    const entries = [{ by: context.actor.id, action: 'acknowledged' }];
    return saveDeadlineChange(context, unit, { before, change, entries });
  });
  return store.toDeadline(after);
}

/**
 * Changes a soft deadline at once; under dual control, a change of a hard one waits for another person.
 * @throws Refusal notFound, notPermitted, invalidInput without proof, conflict
 */
export async function proposeDeadlineChange(
  context: ActorContext,
  id: string,
  input: NewChange,
): Promise<Deadline> {
  const after = await write(context, async (unit) => {
    const { before, isDualControl } = await lockDeadlineFor(context, unit, { id, act: 'propose' });
    const change = { ...input, date: input.date ?? null };
    requireApplicable(before, change);
    if (!before.hard) return applyChange(context, unit, { before, change });
    if (before.pending) throw conflict('A change is already waiting');
    if (change.action === 'move' && !before.verified_at) throw conflict('Verify the date first');
    return isDualControl
      ? savePendingChange(context, unit, { before, change })
      : applyChange(context, unit, { before, change, note: WITHOUT_SECOND });
  });
  return store.toDeadline(after);
}

function savePendingChange(
  context: ActorContext,
  unit: Unit,
  { before, change }: { before: Row; change: Change },
): Promise<Row> {
  const { action, date, time, reason, proof } = change;
  const by = context.actor.id;
  const pending = { action, date, time, reason, proof, by, at: new Date().toISOString() };
  const to = { action, ...(date !== null && { date, time }), ...(proof && { proof }) };
  const entry = { by, action: 'proposed', from: rules.momentOf(before), to, reason };
  return saveDeadlineChange(context, unit, { before, change: { pending }, entries: [entry] });
}

function applyChange(
  context: ActorContext,
  unit: Unit,
  { before, change, note }: { before: Row; change: Change; note?: typeof WITHOUT_SECOND },
): Promise<Row> {
  const { reason, proof } = change;
  const by = context.actor.id;
  const accepted = rules.acceptedChange({ ...change, date: change.date ?? before.date, by });
  const to = { ...stateOf(before, accepted), ...(proof && { proof }), ...note };
  const entry = { by, action: actionNames[change.action], from: stateOf(before), to, reason };
  return saveDeadlineChange(context, unit, { before, change: accepted, entries: [entry] });
}

/**
 * Accepts or declines the pending change, as another person than its proposer.
 * @throws Refusal notFound, notPermitted, conflict when none waits
 */
export async function decideDeadlineChange(
  context: ActorContext,
  id: string,
  { accept, reason }: Decision,
): Promise<Deadline> {
  const by = context.actor.id;
  const after = await write(context, async (unit) => {
    const { before, isDualControl } = await lockDeadlineFor(context, unit, { id, act: 'decide' });
    const { pending } = before;
    if (!pending) throw conflict('No change is waiting');
    if (isDualControl) await requireOtherPerson(unit, context.actor, pending.by);
    const change = accept
      ? rules.acceptedChange({ ...pending, date: pending.date ?? before.date })
      : { pending: null };
    const action = accept ? 'accepted' : 'declined';
    const to = { ...stateOf(before, change), ...(pending.by === by && WITHOUT_SECOND) };
    const entry = { by, action, from: stateOf(before), to, reason };
    return saveDeadlineChange(context, unit, { before, change, entries: [entry] });
  });
  return store.toDeadline(after);
}

/** @throws Refusal conflict, invalidInput for a change that the deadline's state rules out */
function requireApplicable(row: Row, { action, proof }: Change): void {
  if (action === 'reopen' && row.status === 'open') throw conflict('This deadline is open');
  if (action !== 'reopen') requireOpen(row);
  if (action === 'complete' && row.hard && proof === '')
    throw invalidField('proof', 'Please say what proves it');
}

function requireOpen({ status }: Row): void {
  if (status !== 'open') throw conflict('This deadline is not open');
}

function stateOf(row: Row, change: Partial<rules.State> = {}) {
  const { date, time, status } = { ...row, ...change };
  return { date, time, status };
}

/** Whether two people must agree: not where the firm has turned it off, or one person is left. */
export async function requiresSecondPerson(context: Context, db: Scoped): Promise<boolean> {
  const { dualControl } = await readFirm(context);
  return dualControl && (await store.countActivePeople(db)) > 1;
}

/** @throws Refusal notPermitted if the actor counts as the person who acted first */
async function requireOtherPerson(unit: Unit, actor: Actor, first: string | null): Promise<void> {
  if (first === actor.id) throw new Refusal('notPermitted');
  if (first !== null && (await listPasswordPeers(unit.trx, actor.id)).includes(first))
    throw new Refusal('notPermitted', SAME_PERSON);
}

/** @throws Refusal notFound */
export async function lockDeadline(unit: Unit, id: string): Promise<Row> {
  const row = isId(id) ? await store.lockDeadline(unit.trx, id) : undefined;
  if (!row) throw notFound('Deadline');
  return row;
}

/**
 * Locks a deadline that the actor may act on.
 * @param members of the request
 * @throws Refusal notFound, notPermitted
 */
export async function lockDeadlineFor(
  context: ActorContext,
  unit: Unit,
  { id, act, members = [] }: { id: string; act: rules.Act; members?: string[] },
): Promise<{ before: Row; isDualControl: boolean }> {
  const before = await lockDeadline(unit, id);
  const isDualControl = await requiresSecondPerson(context, unit.trx);
  if (!rules.permits[act](context.actor, before, { isDualControl, members }))
    throw new Refusal('notPermitted');
  return { before, isDualControl };
}

type SavedChange = Pick<ChangedDeadline, 'before' | 'isProposed'> & {
  change: Partial<rules.State>;
  entries: store.NewEntry[];
};

/** Writes a change with its history, audit entry and event, and reports it. */
export async function saveDeadlineChange(
  context: Context,
  unit: Unit,
  { before, change, entries, isProposed = false }: SavedChange,
): Promise<Row> {
  const effective = rules.effectiveColumns({ ...before, ...change });
  const after = await store.updateDeadline(unit.trx, before.id, { ...change, ...effective });
  for (const entry of entries) await store.insertEntry(unit.trx, before, entry);
  const states = { before: store.toDeadline(before), after: store.toDeadline(after) };
  await unit.record({ ...about(after), action: entries.at(-1)?.action ?? 'updated', ...states });
  if (after.status !== 'open') await settleNotices(unit, after.id);
  unit.emit('deadline.updated', states.after);
  if (after.kind === 'limitation' && after.case_id !== null && changesCase(before, after))
    await limitationMoved.run(context, unit, after.case_id, after.date);
  const by = entries.at(-1)?.by ?? null;
  await deadlineChanged.run(context, unit, { before, after, by, isProposed });
  return after;
}

/** Whether the case shows another date, or another change that waits for someone. */
function changesCase(before: Row, after: Row): boolean {
  if (after.date !== before.date) return true;
  const isWaiting = (row: Row) => row.pending !== null || row.floor_date !== null;
  if (isWaiting(after) !== isWaiting(before)) return true;
  const people = ({ owner_id: owner, second_id: second }: Row) => `${owner} ${second}`;
  return isWaiting(after) && people(after) !== people(before);
}

export function about({ id, case_id: caseId }: Row) {
  return { entity: 'deadline', entityId: id, ...(caseId !== null && { caseId }) } as const;
}

export function conflict(message: string): Refusal {
  return new Refusal('conflict', message);
}
