// Tasks of imports, many at once.

import { type Selectable, sql } from 'kysely';
import type { Scoped, TasksTable, Transaction } from '../../db/schema.ts';
import { insertMany } from '../../db/statements.ts';
import type { TaskRow } from './store.ts';

export type ImportedTaskRow = Pick<
  Selectable<TasksTable>,
  | ('id' | 'case_id' | 'name' | 'description' | 'start_time' | 'end_time' | 'type')
  | ('assigned_to' | 'created_by' | 'done_at' | 'in_column_since')
>;

export async function insertImportedTasks(trx: Transaction, rows: readonly ImportedTaskRow[]): Promise<void> {
  await insertMany(trx, 'tasks', [...rows]);
}

function byIds(db: Scoped, ids: readonly string[]) {
  return db
    .selectFrom('tasks')
    .innerJoin('users', 'users.id', 'tasks.assigned_to')
    .selectAll('tasks')
    .select(['users.first_name', 'users.last_name'])
    .where('tasks.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('tasks.deleted_at', 'is', null)
    .orderBy('tasks.id');
}

export function findTasks(db: Scoped, ids: readonly string[]): Promise<TaskRow[]> {
  return byIds(db, ids).execute();
}

export function lockTasks(trx: Transaction, ids: readonly string[]): Promise<TaskRow[]> {
  return byIds(trx, ids).forUpdate('tasks').execute();
}

export type TaskUpdate = Pick<
  Selectable<TasksTable>,
  'id' | 'name' | 'description' | 'start_time' | 'end_time' | 'assigned_to' | 'done_at'
>;

export async function updateTasks(trx: Transaction, rows: readonly TaskUpdate[]): Promise<void> {
  await sql`
    update tasks set name = t.name, description = t.description, start_time = t.start_time,
      end_time = t.end_time, assigned_to = t.assigned_to, done_at = t.done_at,
      updated_at = greatest(statement_timestamp(), tasks.updated_at + interval '1 millisecond')
    from json_to_recordset(${JSON.stringify(rows)}) as t (id uuid, name text, description text,
      start_time timestamptz, end_time timestamptz, assigned_to uuid, done_at timestamptz)
    where tasks.id = t.id`.execute(trx);
}

/** Removes rows for good. What lies ahead of their cases follows changes alone. */
export async function removeTasks(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`update tasks set deleted_at = clock_timestamp() where id = any(${ids}::uuid[])`.execute(
    trx,
  );
  await sql`delete from tasks where id = any(${ids}::uuid[])`.execute(trx);
}

/** Tasks of cases, of those that have any. */
export async function countTasksOfCases(
  db: Scoped,
  caseIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ case_id: string; n: number }>`
    select case_id, count(*)::int as n from tasks
    where case_id = any(${caseIds}::uuid[]) and deleted_at is null group by case_id`.execute(db);
  return new Map(rows.map(({ case_id: caseId, n }) => [caseId, n]));
}

type Asked = { caseId: string; name: string; endTime: Date };

/** Tasks of these names and ends, by the place of what was asked. */
export async function findSame(
  db: Scoped,
  asked: readonly Asked[],
): Promise<{ place: number; id: string }[]> {
  const { rows } = await sql<{ place: number; id: string }>`
    select (asked.place - 1)::int as place, t.id
    from unnest(${asked.map(({ caseId }) => caseId)}::uuid[], ${asked.map(({ name }) => name)}::text[],
      ${asked.map(({ endTime }) => endTime)}::timestamptz[])
      with ordinality asked (case_id, name, end_time, place)
    join tasks t on t.case_id = asked.case_id and t.name = asked.name and t.end_time = asked.end_time
    where t.deleted_at is null order by asked.place, t.created_at, t.id`.execute(db);
  return rows;
}

type Pair = { caseId: string; userId: string };

/** Whether each user is active and sees the case; a case that is not there yet, everyone sees. */
export async function findSeeing(
  db: Scoped,
  pairs: readonly Pair[],
): Promise<{ active: boolean; sees: boolean }[]> {
  const { rows } = await sql<{ active: boolean; sees: boolean }>`
    select coalesce(u.active, false) as active,
      u.id is not null and (
        not exists (select from cases c where c.id = pair.case_id) or base.sees_case(u.id, pair.case_id)) as sees
    from unnest(${pairs.map(({ caseId }) => caseId)}::uuid[], ${pairs.map(({ userId }) => userId)}::uuid[])
      with ordinality pair (case_id, user_id, place)
    left join users u on u.id = pair.user_id order by pair.place`.execute(db);
  return rows;
}
