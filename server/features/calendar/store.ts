import { CompiledQuery, sql, type Updateable } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import { mapInSlices } from '../../core/time-slices.ts';
import { sendLater } from '../../db/connection.ts';
import type { EventRow, EventsTable, FullRow, NewEventRow } from '../../db/schema-calendar.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { searchText } from '../../db/search.ts';
import { insertMany, personJsonb } from '../../db/statements.ts';
import type { Times } from './rules.times.ts';

const personOf = personJsonb('u');

/** Events with what other tables say about them. */
function withParts(db: Scoped) {
  return db
    .selectFrom('events')
    .leftJoin('cases', 'cases.id', 'events.case_id')
    .leftJoin('event_series', (join) =>
      join.onRef('event_series.id', '=', 'events.series_id').on('events.slot', 'is not', null),
    )
    .selectAll('events')
    .select(['cases.case_name', 'event_series.rule'])
    .select([
      sql<Person>`(select ${personOf} from users u where u.id = events.organizer_id)`.as(
        'organizer',
      ),
      sql<Person[]>`coalesce((select jsonb_agg(${personOf} order by p.n)
        from unnest(events.people) with ordinality p (id, n) join users u on u.id = p.id), '[]')`.as(
        'attending',
      ),
    ]);
}

export function findEvent(db: Scoped, id: string): Promise<FullRow | undefined> {
  return withParts(db).where('events.id', '=', id).executeTakeFirst();
}

/** In the order of their beginnings. */
export function listEventsOfCase(db: Scoped, caseId: string, limit: number): Promise<FullRow[]> {
  return withParts(db)
    .where('events.case_id', '=', caseId)
    .orderBy('events.starts_at')
    .orderBy('events.id')
    .limit(limit)
    .execute();
}

/**
 * Locks an event. Locks follow one order everywhere: the series, then its events in the order of their places, then
 * what counts from them.
 */
export async function lockEvent(trx: Transaction, id: string): Promise<FullRow | undefined> {
  for (;;) {
    const known = await findSeriesOf(trx, id);
    if (known) await lockSeries(trx, known.series_id);
    await sendLater(trx, SAVEPOINT);
    const row = await withParts(trx)
      .where('events.id', '=', id)
      .forUpdate('events')
      .executeTakeFirst();
    if (!row || row.series_id === known?.series_id) return row;
    // The event joined another series meanwhile, which is locked first.
    await sendLater(trx, ROLLBACK);
  }
}

const SAVEPOINT = CompiledQuery.raw('savepoint event');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint event');

function findSeriesOf(trx: Transaction, id: string) {
  return trx.selectFrom('events').select('series_id').where('id', '=', id).executeTakeFirst();
}

/** Columns of a row to insert, without the computed ones. */
export async function findRow(
  trx: Transaction,
  id: string,
): Promise<NewEventRow & { id: string } & Times> {
  const row = await trx
    .selectFrom('events')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { created_at: _created, updated_at: _updated, search_text: _text, ...columns } = row;
  return { ...columns, sequence: 0 };
}

function textOf({ title, location, notes }: Pick<EventRow, 'title' | 'location' | 'notes'>) {
  return searchText([title, location, notes]);
}

export async function insertEvents(trx: Transaction, rows: NewEventRow[]): Promise<void> {
  await insertMany(
    trx,
    'events',
    await mapInSlices(rows, (row) => ({ ...row, search_text: textOf(row) })),
  );
}

const later = sql<Date>`greatest(statement_timestamp(), events.updated_at + interval '1 millisecond')`;

/** A change of several rows; guests see it if `isSeen`. */
export type EventChange = Omit<Updateable<EventsTable>, 'search_text' | 'guests' | 'source'> &
  Partial<Pick<NewEventRow, 'guests' | 'source'>> & { isSeen?: boolean };

export async function updateEvents(
  trx: Transaction,
  ids: string[],
  { guests, source, isSeen, ...change }: EventChange,
): Promise<void> {
  await trx
    .updateTable('events')
    .set({
      ...change,
      ...(guests && { guests: JSON.stringify(guests) }),
      ...(source !== undefined && { source: source && JSON.stringify(source) }),
      ...(isSeen && { sequence: sql<number>`events.sequence + 1` }),
      updated_at: later,
    })
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
}

/** Computes the searched text again. */
export async function updateSearchText(trx: Transaction, ids: string[]): Promise<void> {
  const rows = await trx
    .selectFrom('events')
    .select(['id', 'title', 'location', 'notes'])
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  const texts = rows.map((row) => ({ id: row.id, search_text: textOf(row) }));
  await sql`update events set search_text = t.search_text
    from json_to_recordset(${JSON.stringify(texts)}) as t (id uuid, search_text text)
    where events.id = t.id and events.search_text <> t.search_text`.execute(trx);
}

/** Events among these and their series that were canceled since then and have invited guests, soonest first. */
export async function listCanceled(
  trx: Transaction,
  { ids, series, since }: { ids: string[]; series: string[]; since: Date },
): Promise<string[]> {
  const rows = await trx
    .selectFrom('events')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('id', '=', sql<string>`any(${ids})`),
        eb('series_id', '=', sql<string>`any(${series})`),
      ]),
    )
    .where('cancelled_at', '>=', since)
    .where(sql<boolean>`jsonb_path_exists(guests, '$[*].invited.sequence')`)
    .orderBy('wall_start')
    .execute();
  return rows.map(({ id }) => id);
}

/** Events of the same people at the same time as some of the given ones. */
export async function listClashes(
  db: Scoped,
  { ids, people, limit }: { ids: string[]; people: string[]; limit: number },
) {
  if (people.length === 0) return [];
  const { rows } = await sql<EventRow & { attending: Person[] }>`
    select distinct on (other.starts_at, other.id) other.*, (
        select jsonb_agg(${personOf}) from users u
        where u.id = any(other.people) and u.id = any(${people}::uuid[])) as attending
      from events mine join events other
        on tstzrange(other.starts_at, other.ends_at, '[]') && tstzrange(mine.starts_at, mine.ends_at, '[]')
      where mine.id = any(${ids}::uuid[]) and not mine.all_day and not other.all_day
        and other.id <> mine.id and other.cancelled_at is null
        and (other.series_id is null or other.series_id is distinct from mine.series_id)
        and other.starts_at < mine.ends_at and other.ends_at > mine.starts_at
        and other.people && ${people}::uuid[] and other.ends_at > statement_timestamp()
      order by other.starts_at, other.id limit ${limit}`.execute(db);
  return rows;
}

/** Names of people, by id. */
export async function findPeople(db: Executor, ids: string[]): Promise<Map<string, Person>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', '=', sql<string>`any(${ids})`)
    .execute();
  return new Map(
    rows.map(({ id, first_name: firstName, last_name: lastName }) => [
      id,
      { id, firstName, lastName },
    ]),
  );
}

export type SeriesRow = { id: string; rule: string; is_endless: boolean; expanded_to: string };

export async function insertSeries(
  trx: Transaction,
  series: Omit<SeriesRow, 'id'>,
): Promise<string> {
  const { id } = await trx
    .insertInto('event_series')
    .values(series)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateSeries(
  trx: Transaction,
  id: string,
  change: Partial<Omit<SeriesRow, 'id'>>,
): Promise<void> {
  await trx.updateTable('event_series').set(change).where('id', '=', id).execute();
}

/** Locks a series; without an id, nothing. */
export async function lockSeries(
  trx: Transaction,
  id: string | null,
): Promise<SeriesRow | undefined> {
  if (id === null) return undefined;
  return trx
    .selectFrom('event_series')
    .select(['id', 'rule', 'is_endless', 'expanded_to'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks the series of these events, before the events themselves. */
export async function lockSeriesOf(trx: Transaction, eventIds: string[]): Promise<void> {
  await sql`select from event_series where id in (
    select series_id from events where id = any(${eventIds}::uuid[])) order by id for update`.execute(
    trx,
  );
}

/**
 * Locks the occurrences of a locked series in order, from a place on. Those that were changed alone and have no place
 * follow.
 */
export function lockOccurrences(trx: Transaction, id: string, from: string): Promise<EventRow[]> {
  return trx
    .selectFrom('events')
    .selectAll()
    .where('series_id', '=', id)
    .where(sql<string>`coalesce(slot, case when is_alone then wall_start end)`, '>=', from)
    .orderBy('slot')
    .orderBy('wall_start')
    .forUpdate()
    .execute();
}

/** Counts the places of a series before one. */
export async function countBefore(trx: Transaction, id: string, slot: string): Promise<number> {
  const { counted } = await trx
    .selectFrom('events')
    .select(sql<number>`count(*)::int`.as('counted'))
    .where('series_id', '=', id)
    .where('slot', '<', slot)
    .executeTakeFirstOrThrow();
  return counted;
}

/** The place of an occurrence, if it has one, and its times, unless they stay. */
export type PlacedOccurrence = {
  id: string;
  series_id: string;
  slot: string | null;
  times: Times | undefined;
};

export async function placeOccurrences(
  trx: Transaction,
  placed: PlacedOccurrence[],
): Promise<void> {
  const rows = placed.map(({ times, ...place }) => ({ ...place, ...times, moves: !!times }));
  await sql`
    update events set series_id = t.series_id, slot = t.slot,
      all_day = case when t.moves then t.all_day else events.all_day end,
      wall_start = case when t.moves then t.wall_start else events.wall_start end,
      wall_end = case when t.moves then t.wall_end else events.wall_end end,
      time_zone = case when t.moves then t.time_zone else events.time_zone end,
      starts_at = case when t.moves then t.starts_at else events.starts_at end,
      ends_at = case when t.moves then t.ends_at else events.ends_at end,
      first_day = case when t.moves then t.first_day else events.first_day end,
      last_day = case when t.moves then t.last_day else events.last_day end
    from json_to_recordset(${JSON.stringify(rows)}) as t (id uuid, series_id uuid, slot text, moves boolean,
      all_day boolean, wall_start text, wall_end text, time_zone text, starts_at timestamptz,
      ends_at timestamptz, first_day date, last_day date)
    where events.id = t.id`.execute(trx);
}

/** Series that have fewer occurrences ahead than they should. */
export async function listShort(db: Executor, horizon: string): Promise<SeriesRow[]> {
  return db
    .selectFrom('event_series')
    .select(['id', 'rule', 'is_endless', 'expanded_to'])
    .where('is_endless', '=', true)
    .where('expanded_to', '<', horizon)
    .orderBy('expanded_to')
    .execute();
}

/** The last occurrence that follows the series. */
export function findLast(db: Scoped, id: string): Promise<EventRow | undefined> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('series_id', '=', id)
    .where('slot', 'is not', null)
    .where('is_alone', '=', false)
    .orderBy('slot', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findExpandedTo(db: Executor): Promise<string | null> {
  const { day } = await db
    .selectFrom('event_series')
    .select(sql<string | null>`min(expanded_to)`.as('day'))
    .where('is_endless', '=', true)
    .executeTakeFirstOrThrow();
  return day;
}

/** Version of the time zone rules by which coming instants were computed. */
export async function findVersion(db: Executor): Promise<string | undefined> {
  return (await db.selectFrom('zone_rules').select('version').executeTakeFirst())?.version;
}

export async function saveVersion(trx: Transaction, version: string): Promise<void> {
  await sql`insert into zone_rules (version) values (${version})
    on conflict (is_single) do update set version = excluded.version`.execute(trx);
}

/** Timed events that have not ended, by id. */
export function listUpcoming(
  db: Scoped,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('all_day', '=', false)
    .where('ends_at', '>', sql<Date>`statement_timestamp()`)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}

type Instants = { id: string; starts_at: Date | null; ends_at: Date | null };

export async function moveInstants(trx: Transaction, rows: Instants[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`update events set starts_at = t.starts_at, ends_at = t.ends_at
    from json_to_recordset(${JSON.stringify(rows)}) as t (id uuid, starts_at timestamptz, ends_at timestamptz)
    where events.id = t.id`.execute(trx);
}

// Events of imports, many at once.

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

export async function updateImportedEvents(
  trx: Transaction,
  rows: readonly EventUpdate[],
): Promise<void> {
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

type EventIdentity = {
  caseId: string | null;
  title: string;
  startsAt: Date | null;
  firstDay: string | null;
};

/** Events of these titles and beginnings, by the place of what was asked. */
export async function findSame(
  db: Scoped,
  asked: readonly EventIdentity[],
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
