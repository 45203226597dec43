import { sql } from 'kysely';
import type { EventRow } from '../../db/schema-calendar.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import type { Times } from './rules.times.ts';

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

/** Without an id, nothing is locked. */
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

/** The occurrences of a locked series in order, from a place on. */
export function lockOccurrences(trx: Transaction, id: string, from: string): Promise<EventRow[]> {
  return trx
    .selectFrom('events')
    .selectAll()
    .where('series_id', '=', id)
    .where('slot', '>=', from)
    .orderBy('slot')
    .forUpdate()
    .execute();
}

/** Places of a series before one, those of other matters included: a series is of one matter. */
export async function countBefore(trx: Transaction, id: string, slot: string): Promise<number> {
  const { counted } = await trx
    .selectFrom('events')
    .select(sql<number>`count(*)::int`.as('counted'))
    .where('series_id', '=', id)
    .where('slot', '<', slot)
    .executeTakeFirstOrThrow();
  return counted;
}

/** Where an occurrence belongs and, unless it was changed alone, its times. */
export type Placing = { id: string; series_id: string; slot: string; times: Times | undefined };

export async function placeOccurrences(trx: Transaction, placings: Placing[]): Promise<void> {
  const rows = placings.map(({ times, ...place }) => ({ ...place, ...times, moves: !!times }));
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
