// Tasks that an import adds, changes and removes, many at once and without news.

import { randomUUID } from 'node:crypto';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import { TASKS_PER_CASE_MAX, type Task } from '@matterdesk/contract/tasks.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { nameOfChange } from './rules.ts';
import { about } from './service.ts';
import * as store from './store.ts';
import { toTask } from './store.ts';

export type ImportedTask = {
  caseId: string;
  name: string;
  description: string;
  startTime: Date;
  endTime: Date;
  assignedTo: string;
  column: ColumnId;
  doneAt: Date | null;
};
export type TaskChange = { id: string } & Partial<Omit<ImportedTask, 'caseId' | 'column'>>;

/**
 * Adds tasks to their columns in their order. @param createdBy id of a user
 * @returns their ids in order @throws Refusal boardFull
 */
export async function importTasks(
  unit: Unit,
  createdBy: string,
  tasks: readonly ImportedTask[],
): Promise<string[]> {
  if (tasks.length === 0) return [];
  await requireRoom(
    unit.trx,
    tasks.map(({ caseId }) => caseId),
  );
  const now = Date.now();
  const rows = tasks.map((task, index): store.ImportedTaskRow => ({
    id: randomUUID(),
    case_id: task.caseId,
    name: task.name,
    description: task.description,
    start_time: task.startTime,
    end_time: task.endTime,
    type: task.column,
    assigned_to: task.assignedTo,
    created_by: createdBy,
    done_at: task.doneAt,
    // The order of the cards is that of the rows.
    in_column_since: new Date(now - tasks.length + index),
  }));
  await store.insertImportedTasks(unit.trx, rows);
  const ids = rows.map(({ id }) => id);
  const added = await findTasks(unit.trx, ids);
  await unit.recordAll(added.map((task) => ({ ...about(task), action: 'imported', after: task })));
  return ids;
}

async function requireRoom(trx: Transaction, caseIds: readonly string[]): Promise<void> {
  const counts = await store.countTasksOfCases(trx, caseIds);
  for (const id of caseIds) {
    const count = (counts.get(id) ?? 0) + 1;
    if (count > TASKS_PER_CASE_MAX)
      throw new Refusal('boardFull', `A case can have at most ${TASKS_PER_CASE_MAX} tasks`);
    counts.set(id, count);
  }
}

async function findTasks(db: Scoped, ids: readonly string[]): Promise<Task[]> {
  return (await store.findTasks(db, ids)).map(toTask);
}

/** Tasks as they are, by id, locked for the transaction. Deleted ones are left out. */
export async function readImportedTasks(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, ImportedTask>> {
  const rows = await store.lockTasks(trx, ids);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        caseId: row.case_id,
        name: row.name,
        description: row.description,
        startTime: row.start_time,
        endTime: row.end_time,
        assignedTo: row.assigned_to,
        column: row.type,
        doneAt: row.done_at,
      },
    ]),
  );
}

export async function changeImportedTasks(
  unit: Unit,
  changes: readonly TaskChange[],
): Promise<void> {
  const ids = changes.map(({ id }) => id);
  const rows = new Map((await store.lockTasks(unit.trx, ids)).map((row) => [row.id, row]));
  const updates = changes.flatMap(({ id, ...change }): store.TaskUpdate[] => {
    const row = rows.get(id);
    if (!row) return [];
    const end = change.endTime ?? row.end_time;
    const start = change.startTime ?? row.start_time;
    return [
      {
        id,
        name: change.name ?? row.name,
        description: change.description ?? row.description,
        // One of both may have been changed here.
        start_time: start > end ? end : start,
        end_time: end,
        assigned_to: change.assignedTo ?? row.assigned_to,
        done_at: change.doneAt === undefined ? row.done_at : change.doneAt,
      },
    ];
  });
  await store.updateTasks(unit.trx, updates);
  const before = new Map([...rows].map(([id, row]) => [id, toTask(row)]));
  const after = await findTasks(unit.trx, ids);
  await unit.recordAll(
    after.flatMap((task) => {
      const was = before.get(task.id);
      if (!was) return [];
      return [{ ...about(task), action: nameOfChange(was, task), before: was, after: task }];
    }),
  );
}

/** Removes tasks as if they had never come. */
export async function removeImportedTasks(unit: Unit, ids: readonly string[]): Promise<void> {
  const removed = (await store.lockTasks(unit.trx, ids)).map(toTask);
  await store.removeTasks(
    unit.trx,
    removed.map(({ id }) => id),
  );
  await unit.recordAll(
    removed.map((task) => ({ ...about(task), action: 'deleted', before: task })),
  );
}

/** Tasks of the same matter, name and end, each once, by the place of what was asked. */
export async function findSameTasks(
  db: Scoped,
  asked: readonly Pick<ImportedTask, 'caseId' | 'name' | 'endTime'>[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const taken = new Set<string>();
  for (const { place, id } of await store.findSame(db, asked))
    if (!found.has(place) && !taken.has(id)) {
      found.set(place, id);
      taken.add(id);
    }
  return found;
}

/** Whether users are active, and see cases, in the order asked; everyone sees a case that is not there yet. */
export function findViewers(
  db: Scoped,
  pairs: readonly { caseId: string; userId: string }[],
): Promise<{ active: boolean; sees: boolean }[]> {
  return store.findViewers(db, pairs);
}
