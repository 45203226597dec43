import { sql, type RawBuilder } from 'kysely';
import type { EventKind } from '@matterdesk/contract/calendar.ts';
import { type CaseWord, everyCaseWord } from '../../db/cases.ts';
import type { Scoped } from '../../db/schema.ts';
import { likePattern, holdsWord } from '../../db/search.ts';
import type { Window } from './rules.times.ts';

/** The window and the filters of a calendar. */
export type ItemQuery = Window & {
  reader: string;
  people: string[] | undefined;
  kinds: EventKind[] | undefined;
  caseId: string | undefined;
  words: CaseWord[] | undefined;
  limit: number;
};

type Condition = RawBuilder<unknown>;

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Days for which canceled events are shown. */
const CANCELED_DAYS = 30;

function conditionsOf({ reader, people, kinds, caseId, words }: ItemQuery): Condition[] {
  const own = sql`(not is_private or organizer_id = ${reader} or ${reader}::uuid = any(people))`;
  return [
    sql`(cancelled_at is null or cancelled_at > statement_timestamp() - make_interval(days => ${CANCELED_DAYS}))`,
    ...(people ? [sql`people && ${people}::uuid[]`] : []),
    ...(caseId ? [sql`case_id = ${caseId}`] : []),
    ...(kinds ? [sql`(case when ${own} then kind else 'other' end) = any(${kinds}::text[])`] : []),
    ...(words
      ? [
          sql`${own} and ${everyCaseWord(words, (word) => sql`search_text like ${likePattern(word)}`)}`,
        ]
      : []),
  ];
}

type Columns<Row> = { [Member in keyof Row]: Row[Member][] };

/** Events as a calendar shows them: minutes since 1970, or days for events of whole days. */
export type EventMoments = Columns<{
  id: string;
  title: string;
  kind: EventKind;
  case_id: string | null;
  people: string[];
  is_private: boolean;
  organizer_id: string;
  is_cancelled: boolean;
  start: number;
  end: number;
}>;

/** Events that touch the window, soonest first; those that end as it begins do not. */
export function listTimed(db: Scoped, wanted: ItemQuery): Promise<EventMoments> {
  const { begins, ends, limit } = wanted;
  const events = sql`
    select * from events
    where not all_day and tstzrange(starts_at, ends_at, '[]') && tstzrange(${begins}, ${ends}, '[)')
      and (ends_at > ${begins} or starts_at >= ${begins}) and ${all(conditionsOf(wanted))}
    order by starts_at, id limit ${limit}`;
  return listEvents(db, events, [minutes('starts_at'), minutes('ends_at')]);
}

export function listAllDay(db: Scoped, wanted: ItemQuery): Promise<EventMoments> {
  const { from, to, limit } = wanted;
  const events = sql`
    select * from events
    where all_day and daterange(first_day, last_day, '[]') && daterange(${from}::date, ${to}::date, '[]')
      and ${all(conditionsOf(wanted))}
    order by first_day, id limit ${limit}`;
  return listEvents(db, events, [dayNumber('first_day'), dayNumber('last_day')]);
}

function listEvents(
  db: Scoped,
  events: RawBuilder<unknown>,
  [start, end]: [RawBuilder<unknown>, RawBuilder<unknown>],
): Promise<EventMoments> {
  return readColumns<EventMoments>(db, events, {
    id: sql`id`,
    title: sql`title`,
    kind: sql`kind`,
    case_id: sql`case_id`,
    people: sql`people`,
    is_private: sql`is_private`,
    organizer_id: sql`organizer_id`,
    is_cancelled: sql`cancelled_at is not null`,
    start,
    end,
  });
}

function minutes(column: string) {
  // `extract` would compute each as a numeric.
  return sql`date_part('epoch', ${sql.id(column)}) / 60`;
}

function dayNumber(column: string) {
  return sql`${sql.id(column)} - date '1970-01-01'`;
}

/** Each column arrives as one JSON text: thousands of rows with their dates cost several times as much to read. */
async function readColumns<Read extends object>(
  db: Scoped,
  rows: RawBuilder<unknown>,
  columns: { [Member in keyof Read]: RawBuilder<unknown> },
): Promise<Read> {
  const members = Object.entries<RawBuilder<unknown>>(columns).map(
    ([name, value]) => sql`coalesce(json_agg(${value}), '[]') as ${sql.id(name)}`,
  );
  const { rows: found } = await sql<Read>`
    select ${sql.join(members)} from (${rows}) r`.execute(db);
  const [read] = found;
  if (!read) throw new Error('An aggregate has one row');
  return read;
}

export type TaskMoments = Columns<{
  id: string;
  name: string;
  case_id: string;
  case_name: string;
  assigned_to: string;
  is_done: boolean;
  start: number;
  end: number;
}>;

/** Tasks of active cases that touch the window, soonest first. */
export function listTaskMoments(db: Scoped, wanted: ItemQuery): Promise<TaskMoments> {
  const { begins, ends, people, caseId, words, limit } = wanted;
  const conditions = [
    ...(people ? [sql`assigned_to = any(${people}::uuid[])`] : []),
    ...(caseId ? [sql`case_id = ${caseId}`] : []),
    ...(words ? [everyCaseWord(words, (word) => holdsWord(sql`name`, word))] : []),
  ];
  const begunBefore = sql`start_time < ${begins} and end_time > ${begins}
    and tstzrange(start_time, end_time, '[]') @> ${begins}::timestamptz`;
  const begunWithin = sql`start_time >= ${begins} and start_time < ${ends}`;
  // A separate query, as an index has those that begin within the window in order.
  const selects = [begunBefore, begunWithin].map(
    (begun) => sql`(
      select id, name, case_id, case_name, assigned_to, start_time, end_time, done_at from tasks
      where is_active and deleted_at is null and end_time >= start_time and ${begun} and ${all(conditions)}
      order by start_time, id limit ${limit})`,
  );
  const tasks = sql`${sql.join(selects, sql` union all `)} order by start_time, id limit ${limit}`;
  return readColumns<TaskMoments>(db, tasks, {
    id: sql`id`,
    name: sql`name`,
    case_id: sql`case_id`,
    case_name: sql`case_name`,
    assigned_to: sql`assigned_to`,
    is_done: sql`done_at is not null`,
    start: minutes('start_time'),
    end: minutes('end_time'),
  });
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
  const { from, to, people, caseId, words, limit } = wanted;
  const conditions = all([
    ...(people ? [sql`people && ${people}::uuid[]`] : []),
    ...(caseId ? [sql`id = ${caseId}`] : []),
    ...(words ?? []).map(({ word }) => sql`search_text like ${likePattern(word)}`),
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

/** Names of cases in the order of the ids; null for those that are not visible. */
export async function findCaseNames(db: Scoped, ids: string[]): Promise<(string | null)[]> {
  // As one text, which is built and read faster than thousands of elements and rows.
  const { rows } = await sql<{ names: (string | null)[] }>`
    select coalesce(json_agg(c.case_name order by given.place), '[]') as names
    from unnest(string_to_array(${ids.join(',')}, ',')::uuid[]) with ordinality as given (id, place)
    left join cases c on c.id = given.id`.execute(db);
  return rows[0]?.names ?? [];
}
