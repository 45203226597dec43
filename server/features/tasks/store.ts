import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { ColumnId } from '@matterdesk/contract/columns.ts';
import type { Due } from '@matterdesk/contract/task-lists.ts';
import { TASKS_PER_CASE_MAX, type Task } from '@matterdesk/contract/tasks.ts';
import { isId } from '../../core/ids.ts';
import type { Scoped, TasksTable, Transaction } from '../../db/schema.ts';
import { holdsWords } from '../../db/search.ts';
import { CompiledStatement, type Slots, insertMany } from '../../db/statements.ts';
import type { DayBounds } from './rules.ts';

type Column = Exclude<
  keyof TasksTable,
  'is_active' | 'entry_id' | 'case_name' | 'case_no' | 'search_text'
>;
export type TaskRow = Pick<Selectable<TasksTable>, Column> & {
  first_name: string;
  last_name: string;
};

const columns = [
  ...(['tasks.id', 'tasks.case_id', 'tasks.name', 'tasks.description'] as const),
  ...(['tasks.start_time', 'tasks.end_time', 'tasks.type', 'tasks.in_column_since'] as const),
  ...(['tasks.assigned_to', 'tasks.created_by', 'tasks.done_at', 'tasks.deleted_at'] as const),
  ...(['tasks.created_at', 'tasks.updated_at'] as const),
] satisfies `tasks.${Column}`[];

// The limit is part of the text, because a plan for any limit expects a tenth of all tasks.
const ofCase = new CompiledStatement((db, value: Slots<{ caseId: string }>) =>
  selectUndeleted(db)
    .where('tasks.case_id', '=', value('caseId'))
    .orderBy('tasks.in_column_since')
    .orderBy('tasks.id')
    .limit(sql.lit(TASKS_PER_CASE_MAX)),
);

// All columns share the statement's clock, so `columnSince` equals the event's time.
const now = sql<Date>`statement_timestamp()`;
const later = sql<Date>`greatest(statement_timestamp(), tasks.updated_at + interval '1 millisecond')`;

type NewTaskRow = Pick<
  Selectable<TasksTable>,
  | 'case_id'
  | 'name'
  | 'description'
  | 'start_time'
  | 'end_time'
  | 'type'
  | 'assigned_to'
  | 'created_by'
  | 'entry_id'
>;

const addition = new CompiledStatement(
  (_db, value: Slots<NewTaskRow>) => sql<TaskRow>`
    with person as (
      select id, first_name, last_name from users where id = ${value('assigned_to')} and active for share),
    added as (
      insert into tasks (case_id, name, description, start_time, end_time, type, assigned_to, created_by,
        entry_id, created_at, updated_at, in_column_since)
      select ${value('case_id')}, ${value('name')}, ${value('description')}, ${value('start_time')},
        ${value('end_time')}, ${value('type')}, person.id, ${value('created_by')}, ${value('entry_id')}, ${now}, ${now}, ${now}
      from person
      where exists (select from cases where id = ${value('case_id')})
        and ${sql.lit(TASKS_PER_CASE_MAX)} > (select count(*) from tasks
          where case_id = ${value('case_id')} and deleted_at is null)
      returning *)
    select added.*, first_name, last_name from added, person`,
);

type MovedTo = { to_type: ColumnId; to_updated_at: Date; to_since: Date };

const move = new CompiledStatement(
  (_db, value: Slots<{ id: string; type: ColumnId }>) => sql<TaskRow & MovedTo>`
    with before as (
      select tasks.*, first_name, last_name from tasks join users on users.id = tasks.assigned_to
      where tasks.id = ${value('id')} and tasks.deleted_at is null for update of tasks),
    after as (
      update tasks set type = ${value('type')}, updated_at = ${later},
        in_column_since = case when tasks.type = ${value('type')} then tasks.in_column_since else ${later} end
      from before where tasks.id = before.id
      returning tasks.type as to_type, tasks.updated_at as to_updated_at, tasks.in_column_since as to_since)
    select before.*, after.* from before, after`,
);

type TaskChange = {
  change: Updateable<TasksTable>;
  isMoved: boolean;
  isDone?: boolean | undefined;
};

const firstDoneAt = sql<Date>`coalesce(tasks.done_at, ${later})`;

export type TaskFilter = {
  assignedTo?: string | undefined;
  due?: Due | undefined;
  search?: string | undefined;
};

export type ListedRow = TaskRow & { case_name: string; case_no: string | null };

type Condition = RawBuilder<boolean>;
type TaskQuery = { filter: TaskFilter; days: DayBounds };

type Counts = Record<Exclude<Due, 'done'> | 'total', number>;

export function toTask(row: TaskRow): Task {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    startTime: row.start_time.toISOString(),
    endTime: row.end_time.toISOString(),
    type: row.type,
    columnSince: row.in_column_since.toISOString(),
    doneAt: row.done_at?.toISOString() ?? null,
    assignedTo: { id: row.assigned_to, firstName: row.first_name, lastName: row.last_name },
    assignee: row.created_by,
    case: row.case_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function selectUndeleted(db: Scoped) {
  return db
    .selectFrom('tasks')
    .innerJoin('users', 'users.id', 'tasks.assigned_to')
    .select([...columns, 'users.first_name', 'users.last_name'])
    .where('tasks.deleted_at', 'is', null);
}

/** All tasks of a case, each column in order of arrival. */
export function listTasks(db: Scoped, caseId: string): Promise<TaskRow[]> {
  return ofCase.rows(db, { caseId });
}

export async function countTasks(db: Scoped, caseId: string): Promise<number> {
  const { counted } = await db
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<string>().as('counted'))
    .where('case_id', '=', caseId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(counted);
}

export function findTask(db: Scoped, id: string): Promise<TaskRow | undefined> {
  return selectUndeleted(db).where('tasks.id', '=', id).executeTakeFirst();
}

export function lockTask(trx: Transaction, id: string): Promise<TaskRow | undefined> {
  return selectUndeleted(trx).where('tasks.id', '=', id).forUpdate('tasks').executeTakeFirst();
}

/**
 * Adds a task and locks its assigned user as active, in one statement.
 * @returns undefined for an unknown case, a full board, or a user who cannot be assigned
 */
export function addTask(trx: Transaction, row: NewTaskRow): Promise<TaskRow | undefined> {
  return addition.row(trx, row);
}

/** @returns ids in the order of the rows */
export async function insertTasks(
  trx: Transaction,
  rows: Insertable<TasksTable>[],
): Promise<string[]> {
  const stamps = { created_at: now, updated_at: now, in_column_since: now };
  const inserted = await trx
    .insertInto('tasks')
    .values(rows.map((row) => ({ ...stamps, ...row })))
    .returning('id')
    .execute();
  return inserted.map((row) => row.id);
}

/** Locks a task and puts it at the end of a column, in one statement. */
export async function moveTask(trx: Transaction, id: string, type: ColumnId) {
  const row = await move.row(trx, { id, type });
  if (!row) return undefined;
  const { to_type, to_updated_at: updated_at, to_since: in_column_since, ...before } = row;
  return { before, after: { ...before, type: to_type, updated_at, in_column_since } };
}

/** Updates a locked row; `isMoved` appends it to its column, `isDone` keeps when it was done first. @returns its `updated_at` */
export async function updateTask(
  trx: Transaction,
  id: string,
  { change, isMoved, isDone }: TaskChange,
): Promise<Date> {
  const { updated_at: at } = await trx
    .updateTable('tasks')
    .set({
      ...change,
      updated_at: later,
      ...(isMoved && { in_column_since: later }),
      ...(isDone !== undefined && { done_at: isDone ? firstDoneAt : null }),
    })
    .where('id', '=', id)
    .returning('updated_at')
    .executeTakeFirstOrThrow();
  return at;
}

/** Open tasks of a user in active cases that touch a time span, starting or ending ones first. */
export function listTasksDuring(
  db: Scoped,
  userId: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
) {
  return selectUndeletedOf(db, userId)
    .where('tasks.end_time', '>=', from)
    .where('tasks.start_time', '<', to)
    .orderBy((eb) => eb.and([eb('tasks.start_time', '<', from), eb('tasks.end_time', '>=', to)]))
    .orderBy('tasks.end_time')
    .orderBy('tasks.id')
    .limit(limit)
    .execute();
}

/** Open tasks of a user in active cases, by due time. */
export function listTasksOf(db: Scoped, userId: string, limit: number) {
  return selectUndeletedOf(db, userId)
    .orderBy('tasks.assigned_to')
    .orderBy('tasks.end_time')
    .orderBy('tasks.id')
    .limit(limit)
    .execute();
}

export async function countTasksOf(db: Scoped, userId: string): Promise<number> {
  const { counted } = await db
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<string>().as('counted'))
    .where('tasks.is_active', '=', true)
    .where('tasks.assigned_to', '=', userId)
    .where('tasks.deleted_at', 'is', null)
    .where('tasks.done_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(counted);
}

/** Removes rows deleted that many days ago. */
export async function purgeTasks(db: Scoped, days: number): Promise<void> {
  await db
    .deleteFrom('tasks')
    .where('deleted_at', '<', sql<Date>`statement_timestamp() - make_interval(days => ${days})`)
    .execute();
}

/** Tasks across cases by their end, after the cursor's. */
export function listTasksAcrossCases(
  db: Scoped,
  { filter, days, limit, after }: TaskQuery & { limit: number; after?: string[] | undefined },
): Promise<ListedRow[]> {
  return selectUndeleted(db)
    .select(['tasks.case_name', 'tasks.case_no'])
    .where(matching(filter))
    .where(dueIn(filter.due, days))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(tasks.end_time, tasks.id) > (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .$if(filter.assignedTo !== undefined, (query) => query.orderBy('tasks.assigned_to'))
    .orderBy('tasks.end_time')
    .orderBy('tasks.id')
    .limit(limit)
    .execute();
}

/** The total, and what is due when, each up to `cap`; of a search all that it finds. */
export function countTasksAcrossCases(
  db: Scoped,
  query: TaskQuery & { cap: number },
): Promise<Counts> {
  return query.filter.search ? countFound(db, query) : countEach(db, query);
}

function selectUndeletedOf(db: Scoped, userId: string) {
  return selectUndeleted(db)
    .select('tasks.case_name')
    .where('tasks.is_active', '=', true)
    .where(isAssignedTo(userId))
    .where('tasks.done_at', 'is', null);
}

/**
 * As an array, so that the person still counts as a column to sort by: then only an index of each person's tasks is in
 * order. Sorted by their end alone, PostgreSQL may take half of all for theirs, and read everyone's until it has enough.
 */
function isAssignedTo(userId: string): RawBuilder<boolean> {
  return sql<boolean>`tasks.assigned_to = any(array[${userId}]::uuid[])`;
}

/**
 * Each by itself, which ends at the cap. Sorted, so that an index has to serve it: otherwise PostgreSQL expects to come
 * across that few rows soon, and reads the whole table where a person has fewer.
 */
async function countEach(db: Scoped, { filter, days, cap }: TaskQuery & { cap: number }) {
  const order = filter.assignedTo === undefined ? sql`end_time` : sql`assigned_to, end_time`;
  const counted = (due: Due | undefined) => sql<number>`(select count(*)::int from (
    select from tasks where deleted_at is null and ${matching(filter)} and ${dueIn(due, days)}
    order by ${order} limit ${cap}) counted)`;
  return db
    .selectNoFrom([
      counted(filter.due).as('total'),
      counted('late').as('late'),
      counted('today').as('today'),
      counted('week').as('week'),
      counted('later').as('later'),
    ])
    .executeTakeFirstOrThrow();
}

/** In one pass, since each text is looked at. */
async function countFound(db: Scoped, { filter, days }: TaskQuery): Promise<Counts> {
  const from = sql`from tasks where tasks.deleted_at is null and ${matching(filter)}`;
  const due = (name: Due) => sql`count(*) filter (where ${dueIn(name, days)})::int`;
  const { rows } = await sql<Omit<Counts, 'total'> & { open: number }>`
    select ${due('late')} as late, ${due('today')} as today, ${due('week')} as week, ${due('later')} as later,
      count(*)::int as open
    ${from} and ${dueIn(undefined, days)}`.execute(db);
  const { open, ...counts } = rows[0] ?? { late: 0, today: 0, week: 0, later: 0, open: 0 };
  if (filter.due === undefined) return { ...counts, total: open };
  if (filter.due !== 'done') return { ...counts, total: counts[filter.due] };
  const done = await sql<{ n: number }>`
    select count(*)::int as n ${from} and ${dueIn('done', days)}`.execute(db);
  return { ...counts, total: done.rows[0]?.n ?? 0 };
}

function dueIn(due: Due | undefined, { now, tomorrow, weekEnds }: DayBounds): Condition {
  const end = sql.ref('tasks.end_time');
  const conditions: Record<Due, Condition> = {
    late: sql`tasks.done_at is null and ${end} < ${now}`,
    today: sql`tasks.done_at is null and ${end} >= ${now} and ${end} < ${tomorrow}`,
    week: sql`tasks.done_at is null and ${end} >= ${tomorrow} and ${end} < ${weekEnds}`,
    later: sql`tasks.done_at is null and ${end} >= ${weekEnds}`,
    done: sql`tasks.done_at is not null`,
  };
  return due ? sql`(${conditions[due]})` : sql`tasks.done_at is null`;
}

function matching({ assignedTo, search = '' }: TaskFilter): Condition {
  const all: Condition[] = [sql`tasks.is_active`];
  if (assignedTo !== undefined) all.push(isId(assignedTo) ? isAssignedTo(assignedTo) : sql`false`);
  if (search === '') return sql`(${sql.join(all, sql` and `)})`;
  all.push(holdsWords(search, sql.ref('tasks.search_text')));
  return sql`(${sql.join(all, sql` and `)})`;
}

// Tasks of imports, many at once.

export type ImportedTaskRow = Pick<
  Selectable<TasksTable>,
  | ('id' | 'case_id' | 'name' | 'description' | 'start_time' | 'end_time' | 'type')
  | ('assigned_to' | 'created_by' | 'done_at' | 'in_column_since')
>;

export async function insertImportedTasks(
  trx: Transaction,
  rows: readonly ImportedTaskRow[],
): Promise<void> {
  await insertMany(trx, 'tasks', [...rows]);
}

function byIds(db: Scoped, ids: readonly string[]) {
  return selectUndeleted(db)
    .where('tasks.id', '=', sql<string>`any(${ids}::uuid[])`)
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

type TaskIdentity = { caseId: string; name: string; endTime: Date };

/** Tasks of these names and ends, by the place of what was asked. */
export async function findSame(
  db: Scoped,
  asked: readonly TaskIdentity[],
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
export async function findViewers(
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
