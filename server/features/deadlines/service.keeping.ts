// What every write of a deadline needs: its lock, its history, its audit entry, its event and its mirror.

import type { Actor } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import type { Scoped } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { proposeChain } from './chains/service.opening.ts';
import { reportMove } from './limitations/service.news.ts';
import { may, type Act } from './rules.permission.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import type { ActorContext, Context } from '../../context.ts';
import { readFirm } from '../firm/service.ts';
import { listOneselves } from '../accounts/service.ts';
import { followLimitation } from '../cases/service.ts';

const SAME_HAND =
  'Ask another person: one of you set the other’s password with a link, so you count as one';

type Row = store.DeadlineRow;
type Kept = {
  change: Partial<rules.State>;
  entries: store.NewEntry[];
  /** By a proposal, which moves what counts from it as well. */
  isProposed?: boolean;
};

/** Whether a second person must agree: not where the firm has turned it off, or one person is left. */
export async function requiresSecondPerson(context: Context, db: Scoped): Promise<boolean> {
  const { dualControl } = await readFirm(context);
  return dualControl && (await store.countActivePeople(db)) > 1;
}

/** Ids that count as the actor: the maker of a link that set a password may act as its user. */
export function listActingSelves(db: Scoped, actorId: string): Promise<string[]> {
  return listOneselves(db, actorId);
}

/** @throws Refusal notPermitted when no second person acts where there must be one */
export async function requireSecondPerson(
  unit: Unit,
  actor: Actor,
  first: string | null,
): Promise<void> {
  if (first === actor.id) throw new Refusal('notPermitted');
  if (first !== null && (await listActingSelves(unit.trx, actor.id)).includes(first))
    throw new Refusal('notPermitted', SAME_HAND);
}

/** @throws Refusal notFound */
export async function lockDeadline(unit: Unit, id: string): Promise<Row> {
  const row = isId(id) ? await store.lockDeadline(unit.trx, id) : undefined;
  if (!row) throw notFound('Deadline');
  return row;
}

/**
 * Locks a deadline about which the actor may do something.
 * @param members of the request
 * @throws Refusal notFound, notPermitted
 */
export async function lockDeadlineFor(
  context: ActorContext,
  unit: Unit,
  { id, act, members = [] }: { id: string; act: Act; members?: string[] },
): Promise<{ before: Row; isDual: boolean }> {
  const before = await lockDeadline(unit, id);
  const isDual = await requiresSecondPerson(context, unit.trx);
  if (!may[act](context.actor, before, { isDual, members })) throw new Refusal('notPermitted');
  return { before, isDual };
}

/** Writes a change with its entries. */
export async function saveDeadlineChange(
  context: Context,
  unit: Unit,
  { before, change, entries, isProposed = false }: Kept & { before: Row },
): Promise<Row> {
  const derived = rules.derived({ ...before, ...change });
  const after = await store.updateDeadline(unit.trx, before.id, { ...change, ...derived });
  for (const entry of entries) await store.insertEntry(unit.trx, before, entry);
  const states = { before: store.toDeadline(before), after: store.toDeadline(after) };
  await unit.record({ ...about(after), action: entries.at(-1)?.action ?? 'updated', ...states });
  unit.emit('deadline.updated', states.after);
  if (after.kind === 'limitation' && after.case_id !== null && after.date !== before.date)
    await followLimitation(unit, after.case_id, after.date);
  const by = entries.at(-1)?.by ?? null;
  await reportMove(context, unit, { before, after, by });
  if (!isProposed) await proposeChain(unit, { before, after, by });
  return after;
}

export function about({ id, case_id: caseId }: Row) {
  return { entity: 'deadline', entityId: id, ...(caseId !== null && { caseId }) } as const;
}

export function conflict(message: string): Refusal {
  return new Refusal('conflict', message);
}
