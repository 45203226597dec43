// Four eyes: verification, acknowledgement, and changes that another person decides.

import type {
  Deadline,
  Decision,
  NewChange,
  Verification,
} from '@matterdesk/contract/deadlines.ts';
import type { Actor } from '../../core/actor.ts';
import { invalidField } from '../../core/refusal.ts';
import type { PendingChange } from '../../db/schema-deadlines.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import * as rules from './rules.ts';
import {
  conflict,
  lockDeadlineFor,
  requireSecondPerson,
  saveDeadlineChange,
} from './service.keeping.ts';
import * as store from './store.ts';
import { type ActorContext, type Context, write } from '../../context.ts';
type Row = store.DeadlineRow;
type Change = Pick<PendingChange, 'action' | 'date' | 'time' | 'reason' | 'proof'>;

/**
 * Verifies a hard date by entering it again; a different one is recorded, and refused.
 * @throws Refusal notFound, notPermitted for the person who entered the date, conflict
 */
export async function verifyDeadline(
  context: ActorContext,
  id: string,
  entered: Verification,
): Promise<Deadline> {
  const outcome = await write(context, async (unit) => {
    const locked = await lockDeadlineFor(context, unit, { id, act: 'verify' });
    const { before } = locked;
    const isAlone = !locked.isDual;
    if (!before.hard) throw conflict('Only hard deadlines are verified');
    if (!isAlone) await requireSecondPerson(unit, context.actor, before.dated_by);
    requireOpen(before);
    if (before.verified_at) throw conflict('This date is verified already');
    const difference = rules.difference(before, entered);
    const [from, to] = [rules.momentOf(before), rules.momentOf(entered)];
    if (difference !== undefined) {
      const entry = { by: context.actor.id, action: 'mismatched', from, to };
      await store.insertEntry(unit.trx, before, entry);
      return { difference };
    }
    const change = { verified_by: context.actor.id, verified_at: new Date(), floor_date: null };
    const entry = { by: context.actor.id, action: 'verified', to: { ...to, ...alone(isAlone) } };
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
 * Changes a soft deadline at once; of a hard one the change waits for another person.
 * @throws Refusal notFound, notPermitted, invalidInput without proof, conflict
 */
export async function proposeDeadlineChange(
  context: ActorContext,
  id: string,
  input: NewChange,
): Promise<Deadline> {
  const after = await write(context, async (unit) => {
    const { before, isDual } = await lockDeadlineFor(context, unit, { id, act: 'propose' });
    const change = { ...input, date: input.date ?? null };
    requireSense(before, change);
    if (!before.hard)
      return applyDeadlineChange(context, unit, { before, actor: context.actor, change });
    if (before.pending) throw conflict('A change is already waiting');
    if (change.action === 'move' && !before.verified_at) throw conflict('Verify the date first');
    if (isDual) return awaitSecondPerson(context, unit, { before, actor: context.actor, change });
    return applyDeadlineChange(context, unit, {
      before,
      actor: context.actor,
      change,
      isAlone: true,
    });
  });
  return store.toDeadline(after);
}

function awaitSecondPerson(
  context: Context,
  unit: Unit,
  { before, actor, change }: { actor: Actor; change: Change } & { before: Row },
) {
  const { action, date, time, reason, proof } = change;
  const pending = {
    action,
    date,
    time,
    reason,
    proof,
    by: actor.id,
    at: new Date().toISOString(),
  };
  const to = { action, ...(date !== null && { date, time }), ...(proof && { proof }) };
  const entry = { by: actor.id, action: 'proposed', from: rules.momentOf(before), to, reason };
  return saveDeadlineChange(context, unit, { before, change: { pending }, entries: [entry] });
}

function applyDeadlineChange(
  context: Context,
  unit: Unit,
  {
    before,
    actor,
    change,
    isAlone = false,
  }: { actor: Actor; change: Change; isAlone?: boolean } & { before: Row },
) {
  const { reason, proof } = change;
  const applied = rules.applied({ ...change, date: change.date ?? before.date, by: actor.id });
  const to = { ...stateOf(before, applied), ...(proof && { proof }), ...alone(isAlone) };
  const action = names[change.action];
  const entry = { by: actor.id, action, from: stateOf(before), to, reason };
  return saveDeadlineChange(context, unit, { before, change: applied, entries: [entry] });
}

/**
 * Accepts or declines the change that waits, as another person than its proposer.
 * @throws Refusal notFound, notPermitted, conflict when none waits
 */
export async function decideDeadlineChange(
  context: ActorContext,
  id: string,
  { accept, reason }: Decision,
): Promise<Deadline> {
  const after = await write(context, async (unit) => {
    const { before, isDual } = await lockDeadlineFor(context, unit, { id, act: 'decide' });
    const { pending } = before;
    if (!pending) throw conflict('No change is waiting');
    if (isDual) await requireSecondPerson(unit, context.actor, pending.by);
    const isAlone = pending.by === context.actor.id;
    const change = accept
      ? rules.applied({ ...pending, date: pending.date ?? before.date })
      : { pending: null };
    const entry = {
      by: context.actor.id,
      action: accept ? 'accepted' : 'declined',
      from: stateOf(before),
      to: { ...stateOf(before, change), ...alone(isAlone) },
      reason,
    };
    return saveDeadlineChange(context, unit, { before, change, entries: [entry] });
  });
  return store.toDeadline(after);
}

const names = {
  move: 'moved',
  complete: 'completed',
  vacate: 'vacated',
  reopen: 'reopened',
} as const;

/** Refuses what makes no sense for a deadline in its state. */
function requireSense(row: Row, { action, proof }: Change): void {
  if (action === 'reopen' && row.status === 'open') throw conflict('This deadline is open');
  if (action !== 'reopen') requireOpen(row);
  if (action === 'complete' && row.hard && proof === '')
    throw invalidField('proof', 'Please say what proves it');
}

function requireOpen({ status }: Row): void {
  if (status !== 'open') throw conflict('This deadline is not open');
}

/** History says where no second person was needed. */
function alone(isAlone: boolean) {
  return isAlone ? { withoutSecond: true } : {};
}

function stateOf(row: Row, change: Partial<rules.State> = {}) {
  const { date, time, status } = { ...row, ...change };
  return { date, time, status };
}
