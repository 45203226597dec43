import { CompiledQuery, sql, type Updateable } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import { sendLater } from '../../db/connection.ts';
import { insertMany } from '../../db/statements.ts';
import type { EventRow, EventsTable, FullRow, NewEventRow } from '../../db/schema-calendar.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { searchText } from '../../db/search.ts';
import type { Times } from './rules.times.ts';
import { lockSeries } from './store.series.ts';

const personOf = sql`jsonb_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name)`;

function events(db: Scoped) {
  return db
    .selectFrom('events')
    .leftJoin('cases', 'cases.id', 'events.case_id')
    .leftJoin('event_series', 'event_series.id', 'events.series_id')
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
  return events(db).where('events.id', '=', id).executeTakeFirst();
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
    const row = await events(trx)
      .where('events.id', '=', id)
      .forUpdate('events')
      .executeTakeFirst();
    if (!row || row.series_id === known?.series_id) return row;
    // It joined another series meanwhile, which is locked first.
    await sendLater(trx, ROLLBACK);
  }
}

const SAVEPOINT = CompiledQuery.raw('savepoint event');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint event');

function findSeriesOf(trx: Transaction, id: string) {
  return trx.selectFrom('events').select('series_id').where('id', '=', id).executeTakeFirst();
}

/** Columns of a row as they are inserted; the searched text and the stamps are made again. */
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
    rows.map((row) => ({ ...row, search_text: textOf(row) })),
  );
}

const later = sql<Date>`greatest(statement_timestamp(), events.updated_at + interval '1 millisecond')`;

/** A change of rows alike; `isSeen` says that guests see it. */
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

/** The searched text follows the row. */
export async function refold(trx: Transaction, ids: string[]): Promise<void> {
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

/** Of these events and series, those canceled since then to which guests were invited; soonest first. */
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

/** Rows of a clash: events of the same people at the same time as some of the given ones. */
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
