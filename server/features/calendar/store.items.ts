import { sql, type RawBuilder } from 'kysely';
import type { EventKind } from '@matterdesk/contract/calendar.ts';
import type { Scoped } from '../../db/schema.ts';
import { containing, everyWord, holdsWords } from '../../db/search.ts';
import type { Window } from './rules.times.ts';

/** The window and the filters of a calendar. */
export type ItemQuery = Window & {
  reader: string;
  people: string[] | undefined;
  kinds: EventKind[] | undefined;
  caseId: string | undefined;
  search: string | undefined;
  limit: number;
};

type Condition = RawBuilder<unknown>;

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Finds cases by their own text, once for all rows. */
function foundCase(word: string): Condition {
  return sql`case_id = any(array(select c.id from cases c where c.search_text like ${containing(word)}))`;
}

/** Days for which canceled events are shown. */
const CANCELED_DAYS = 30;

export type EventItem = {
  id: string;
  title: string;
  kind: EventKind;
  case_id: string | null;
  people: string[];
  all_day: boolean;
  wall_start: string;
  wall_end: string;
  starts_at: Date | null;
  ends_at: Date | null;
  is_private: boolean;
  organizer_id: string;
  cancelled_at: Date | null;
};

function conditionsOf({ reader, people, kinds, caseId, search }: ItemQuery): Condition[] {
  const own = sql`(not is_private or organizer_id = ${reader} or ${reader}::uuid = any(people))`;
  return [
    sql`(cancelled_at is null or cancelled_at > statement_timestamp() - make_interval(days => ${CANCELED_DAYS}))`,
    ...(people ? [sql`people && ${people}::uuid[]`] : []),
    ...(caseId ? [sql`case_id = ${caseId}`] : []),
    ...(kinds ? [sql`(case when ${own} then kind else 'other' end) = any(${kinds}::text[])`] : []),
    ...(search === undefined
      ? []
      : [
          sql`${own} and ${everyWord(
            search,
            (word) => sql`(search_text like ${containing(word)} or ${foundCase(word)})`,
          )}`,
        ]),
  ];
}

const columns = sql`id, title, kind, case_id, people, all_day, wall_start, wall_end, starts_at, ends_at,
  is_private, organizer_id, cancelled_at`;

/** Events that touch the window, soonest first; those that end as it begins do not. */
export async function listTimed(db: Scoped, wanted: ItemQuery): Promise<EventItem[]> {
  const { begins, ends, limit } = wanted;
  const { rows } = await sql<EventItem>`
    select ${columns} from events
    where not all_day and tstzrange(starts_at, ends_at, '[]') && tstzrange(${begins}, ${ends}, '[)')
      and (ends_at > ${begins} or starts_at >= ${begins}) and ${all(conditionsOf(wanted))}
    order by starts_at, id limit ${limit}`.execute(db);
  return rows;
}

export async function listAllDay(db: Scoped, wanted: ItemQuery): Promise<EventItem[]> {
  const { from, to, limit } = wanted;
  const { rows } = await sql<EventItem>`
    select ${columns} from events
    where all_day and daterange(first_day, last_day, '[]') && daterange(${from}::date, ${to}::date, '[]')
      and ${all(conditionsOf(wanted))}
    order by first_day, id limit ${limit}`.execute(db);
  return rows;
}

export type TaskItem = {
  id: string;
  name: string;
  case_id: string;
  assigned_to: string;
  start_time: Date;
  end_time: Date;
  done_at: Date | null;
};

/** Tasks of active cases that touch the window, soonest first. */
export async function listTasks(db: Scoped, wanted: ItemQuery): Promise<TaskItem[]> {
  const { begins, ends, people, caseId, search, limit } = wanted;
  const conditions = [
    ...(people ? [sql`assigned_to = any(${people}::uuid[])`] : []),
    ...(caseId ? [sql`case_id = ${caseId}`] : []),
    ...(search === undefined
      ? []
      : [
          everyWord(
            search,
            (word) => sql`(lower(name) like ${containing(word)} or ${foundCase(word)})`,
          ),
        ]),
  ];
  const begunBefore = sql`start_time < ${begins} and end_time > ${begins}
    and tstzrange(start_time, end_time, '[]') @> ${begins}::timestamptz`;
  const begunWithin = sql`start_time >= ${begins} and start_time < ${ends}`;
  // A separate query, as an index has those that begin within the window in order.
  const selects = [begunBefore, begunWithin].map(
    (begun) => sql`(
      select id, name, case_id, assigned_to, start_time, end_time, done_at from tasks
      where is_active and deleted_at is null and end_time >= start_time and ${begun} and ${all(conditions)}
      order by start_time, id limit ${limit})`,
  );
  const { rows } = await sql<TaskItem>`
    ${sql.join(selects, sql` union all `)} order by start_time, id limit ${limit}`.execute(db);
  return rows;
}

export type CaseDate = {
  case_id: string;
  what: 'opened' | 'incident';
  day: string;
  people: string[];
};

const dates = [
  ['opened', 'date_of_opening'],
  ['incident', 'doi'],
] as const;

/** Dates of active cases between two days, soonest first; the SOL is a deadline. */
export async function listCaseDates(db: Scoped, wanted: ItemQuery): Promise<CaseDate[]> {
  const { from, to, people, caseId, search, limit } = wanted;
  const conditions = all([
    ...(people ? [sql`people && ${people}::uuid[]`] : []),
    ...(caseId ? [sql`id = ${caseId}`] : []),
    ...(search === undefined ? [] : [holdsWords(search, sql.ref('search_text'))]),
  ]);
  const selects = dates.map(
    ([what, column]) => sql`(
      select id as case_id, ${what}::text as what, ${sql.id(column)} as day, people from cases
      where status_type = 'Active' and ${sql.id(column)} between ${from}::date and ${to}::date and ${conditions}
      order by ${sql.id(column)}, id limit ${limit})`,
  );
  const { rows } = await sql<CaseDate>`
    ${sql.join(selects, sql` union all `)} order by day, case_id limit ${limit}`.execute(db);
  return rows;
}

/** Names of visible cases, by id. */
export async function findCaseNames(db: Scoped, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('cases')
    .select(['id', 'case_name'])
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.case_name]));
}
