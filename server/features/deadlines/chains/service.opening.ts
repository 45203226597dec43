import { randomUUID } from 'node:crypto';
import type { ProposalsTable } from '../../../db/schema-deadlines.ts';
import type { Transaction } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { DeadlineRow } from '../store.ts';
import * as counting from '../counting/store.ts';
import type { Court } from '../counting/rules.ts';
import { recount, type Dependent, type Recounted } from './rules.ts';
import { toNews } from './rules.proposals.ts';
import * as store from './store.ts';

/** What moved, and which open deadlines count from it directly. */
export type Cause = {
  type: ProposalsTable['trigger_type'];
  id: string;
  title: string;
  /** Who moved it. */
  by: string;
  roots: string[];
};

/**
 * Proposes in one list to move what counts from a trigger, through chains; nothing moves yet. Replaces what earlier
 * proposals say about the same deadlines.
 * @returns the proposal's id, or null when no date would change
 */
export async function openProposal(unit: Unit, cause: Cause): Promise<string | null> {
  if (cause.roots.length === 0) return null;
  const { trx } = unit;
  const rows = await store.lockChain(trx, cause.roots);
  const roots = new Set(cause.roots);
  const moved = recount(rows, { roots, courts: await findCourts(trx, rows) });
  const replaced = await store.replaceItems(
    trx,
    rows.map(({ id }) => id),
  );
  const id = moved.size > 0 ? await insert(unit, cause, { rows, moved }) : null;
  for (const earlier of replaced) await publish(unit, 'proposal.decided', earlier);
  if (id !== null) await publish(unit, 'proposal.opened', id);
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

async function insert(unit: Unit, cause: Cause, { rows, moved }: Chain): Promise<string> {
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

/** Proposes to move what counts from a changed deadline, and compares what is proposed for it with its new date. */
export async function proposeChain(
  unit: Unit,
  { before, after, by }: { before: DeadlineRow; after: DeadlineRow; by: string | null },
): Promise<void> {
  const { id, title, date, status } = after;
  if (date === before.date && status === before.status) return;
  await store.adjustItem(unit.trx, { id, date, isOpen: status === 'open' });
  const isCancelled = (row: DeadlineRow) => row.status === 'vacated';
  if (by === null || (date === before.date && isCancelled(after) === isCancelled(before))) return;
  const roots = await store.listOfDeadline(unit.trx, id);
  await openProposal(unit, { type: 'deadline', id, title, by, roots });
}

/** Emits a proposal to those who see its matters. */
export async function publish(
  unit: Unit,
  name: 'proposal.opened' | 'proposal.decided',
  id: string,
): Promise<void> {
  const found = await store.findProposal(unit.trx, id);
  for (const news of found ? toNews(found) : []) unit.emit(name, news);
}
