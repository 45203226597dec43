import { sql } from 'kysely';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';

/** A minute without a beat is written at most; more than five are an absence of the server. */
export async function beat(db: Executor): Promise<void> {
  await sql`
    with before as (select at from heartbeat for update),
    beaten as (
      insert into heartbeat (at) values (clock_timestamp())
      on conflict (is_single) do update set at = excluded.at
        where heartbeat.at not between excluded.at - interval '1 minute' and excluded.at)
    insert into absences (from_at, to_at)
      select at, clock_timestamp() from before where at < clock_timestamp() - interval '5 minutes'
      on conflict do nothing`.execute(db);
}

export type DayReminder = { id: string; day: string; minutes: number };

/** Reminders of all-day events whose instants do not follow the firm's present settings. */
export function listUnderived(db: Scoped, by: string, limit: number): Promise<DayReminder[]> {
  return db
    .selectFrom('reminders')
    .select(['id', 'minutes', sql<string>`day`.as('day')])
    .where('day', 'is not', null)
    .where(sql<boolean>`derived_by is distinct from ${by}`)
    .limit(limit)
    .execute();
}

export async function derive(
  trx: Transaction,
  by: string,
  rows: { id: string; fire_at: Date }[],
): Promise<void> {
  await sql`update reminders set fire_at = t.fire_at, derived_by = ${by}
    from json_to_recordset(${JSON.stringify(rows)}) as t (id bigint, fire_at timestamptz)
    where reminders.id = t.id`.execute(trx);
}

export type DueReminder = {
  event_id: string;
  minutes: number;
  at: Date;
  missed: boolean;
  title: string;
  case_id: string | null;
  people: string[];
};

/**
 * Takes reminders that are due by the database's clock; other processes take others. What had passed when it was set
 * is dropped.
 */
export async function takeDue(
  trx: Transaction,
  limit: number,
): Promise<{ taken: number; due: DueReminder[] }> {
  const { rows } = await sql<DueReminder & { counts: boolean }>`
    with taken as (
      delete from reminders where id in (
        select r.id from reminders r where r.fire_at <= clock_timestamp()
          order by r.fire_at limit ${limit} for update skip locked)
      returning event_id, minutes, fire_at, set_at)
    select t.event_id, t.minutes, t.fire_at as at, t.fire_at >= t.set_at as counts,
      exists (select from absences a where t.fire_at between a.from_at and a.to_at) as missed,
      e.title, e.case_id, e.people
    from taken t join events e on e.id = t.event_id
    order by t.fire_at`.execute(trx);
  return { taken: rows.length, due: rows.filter(({ counts }) => counts) };
}
