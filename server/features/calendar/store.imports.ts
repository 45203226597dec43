// Events of imports, many at once.

import { sql } from 'kysely';
import type { EventRow, FullRow } from '../../db/schema-calendar.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import { searchText } from '../../db/search.ts';
import type { Times } from './rules.times.ts';
import { withParts } from './store.ts';

function byIds(db: Scoped, ids: readonly string[]) {
  return withParts(db)
    .where('events.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('events.id');
}

export function findEvents(db: Scoped, ids: readonly string[]): Promise<FullRow[]> {
  return byIds(db, ids).execute();
}

export function lockEvents(trx: Transaction, ids: readonly string[]): Promise<FullRow[]> {
  return byIds(trx, ids).forUpdate('events').execute();
}

export type EventUpdate = Times &
  Pick<EventRow, 'id' | 'title' | 'kind' | 'location' | 'notes' | 'people' | 'reminders'>;

export async function updateImportedEvents(trx: Transaction, rows: readonly EventUpdate[]): Promise<void> {
  const updates = rows.map((row) => ({
    ...row,
    search_text: searchText([row.title, row.location, row.notes]),
  }));
  await sql`
    update events set title = t.title, kind = t.kind, location = t.location, notes = t.notes,
      people = t.people, reminders = t.reminders, search_text = t.search_text, all_day = t.all_day,
      wall_start = t.wall_start, wall_end = t.wall_end, time_zone = t.time_zone,
      starts_at = t.starts_at, ends_at = t.ends_at, first_day = t.first_day, last_day = t.last_day,
      sequence = events.sequence + 1,
      updated_at = greatest(statement_timestamp(), events.updated_at + interval '1 millisecond')
    from json_to_recordset(${JSON.stringify(updates)}) as t (id uuid, title text, kind text, location text,
      notes text, people uuid[], reminders int[], search_text text, all_day boolean, wall_start text,
      wall_end text, time_zone text, starts_at timestamptz, ends_at timestamptz, first_day date, last_day date)
    where events.id = t.id`.execute(trx);
}

/** Removes rows for good. What lies ahead of their cases follows changes alone. */
export async function removeEvents(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`update events set cancelled_at = clock_timestamp() where id = any(${ids}::uuid[])`.execute(
    trx,
  );
  await sql`delete from events where id = any(${ids}::uuid[])`.execute(trx);
}

/** Those of the events that a deadline counts from. */
export async function listCountedFrom(
  trx: Transaction,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${ids}::uuid[]) asked (id)
    where exists (select from deadlines d where d.trigger_event_id = asked.id)`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

type Asked = {
  caseId: string | null;
  title: string;
  startsAt: Date | null;
  firstDay: string | null;
};

/** Events of these titles and beginnings, by the place of what was asked. */
export async function findSame(
  db: Scoped,
  asked: readonly Asked[],
): Promise<{ place: number; id: string }[]> {
  const same = sql`e.title = asked.title and e.cancelled_at is null and not e.is_private`;
  // The index that has few of them: by its matter, else by its time.
  const { rows } = await sql<{ place: number; id: string }>`
    select (asked.place - 1)::int as place, found.id
    from unnest(${asked.map(({ caseId }) => caseId)}::uuid[], ${asked.map(({ title }) => title)}::text[],
      ${asked.map(({ startsAt }) => startsAt)}::timestamptz[], ${asked.map(({ firstDay }) => firstDay)}::date[])
      with ordinality asked (case_id, title, starts_at, first_day, place)
    cross join lateral (
      select e.id, e.created_at from events e
      where e.case_id = asked.case_id and ${same}
        and (e.starts_at = asked.starts_at or e.first_day = asked.first_day)
      union all
      select e.id, e.created_at from events e
      where asked.case_id is null and e.case_id is null and ${same} and e.starts_at = asked.starts_at
        and not e.all_day and tstzrange(e.starts_at, e.ends_at, '[]') @> asked.starts_at
      union all
      select e.id, e.created_at from events e
      where asked.case_id is null and e.case_id is null and ${same} and e.first_day = asked.first_day
        and e.all_day and daterange(e.first_day, e.last_day, '[]') @> asked.first_day) found
    order by asked.place, found.created_at, found.id`.execute(db);
  return rows;
}
