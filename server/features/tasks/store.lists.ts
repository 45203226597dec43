import { type RawBuilder, sql } from 'kysely';
import type { Due } from '@matterdesk/contract/task-lists.ts';
import { isId } from '../../core/ids.ts';
import type { Scoped } from '../../db/schema.ts';
import { everyWord, fold } from '../../db/search.ts';
import type { Days } from './rules.ts';
import { living, type TaskRow } from './store.ts';

export type TaskFilter = {
  assignedTo?: string | undefined;
  due?: Due | undefined;
  search?: string | undefined;
};

export type ListedRow = TaskRow & { case_name: string; case_no: string };

type Condition = RawBuilder<boolean>;
type Listing = { filter: TaskFilter; days: Days };

/** By the end, after the cursor's. */
export function listTasks(
  db: Scoped,
  { filter, days, limit, after }: Listing & { limit: number; after?: string[] | undefined },
): Promise<ListedRow[]> {
  return living(db)
    .innerJoin('cases', 'cases.id', 'tasks.case_id')
    .select(['cases.case_name', 'cases.case_no'])
    .where(matching(filter))
    .where(dueIn(filter.due, days))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(tasks.end_time, tasks.id) > (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('tasks.end_time')
    .orderBy('tasks.id')
    .limit(limit)
    .execute();
}

type Counts = Record<Exclude<Due, 'done'> | 'total', number>;

/** The total, and what is due when, each up to `cap`; of a search all that it finds. */
export function countTasks(db: Scoped, listing: Listing & { cap: number }): Promise<Counts> {
  return listing.filter.search ? countFound(db, listing) : countEach(db, listing);
}

/** Each by itself, which ends at the cap. */
async function countEach(db: Scoped, { filter, days, cap }: Listing & { cap: number }) {
  const counted = (due: Due | undefined) => sql<number>`(select count(*)::int from (
    select from tasks where deleted_at is null and ${matching(filter)} and ${dueIn(due, days)}
    limit ${cap}) counted)`;
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
async function countFound(db: Scoped, { filter, days }: Listing): Promise<Counts> {
  const from = sql`from tasks join cases on cases.id = tasks.case_id
    where tasks.deleted_at is null and ${matching(filter)}`;
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

function dueIn(due: Due | undefined, { now, tomorrow, weekEnds }: Days): Condition {
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
  if (assignedTo !== undefined)
    all.push(isId(assignedTo) ? sql`tasks.assigned_to = ${assignedTo}` : sql`false`);
  if (search === '') return sql`(${sql.join(all, sql` and `)})`;
  const text = sql`lower(concat_ws(E'\n', tasks.name, tasks.description, case_name, case_no))`;
  all.push(
    everyWord(
      search,
      (word) =>
        sql`(strpos(${text}, ${fold(word)}) > 0 or strpos(${text}, ${word.toLowerCase()}) > 0)`,
    ),
  );
  return sql`(${sql.join(all, sql` and `)})`;
}
