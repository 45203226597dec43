import { sql } from 'kysely';
import type { Executor, Scoped, Transaction } from '../../../db/schema.ts';

type DayBounds = { day: string; begins: Date; ends: Date };
type Counts = { items: number; deadlines: number; tasks: number };

/** Counts a user's events of a day, deadlines of active matters that are due or overdue, and open tasks that end on it. */
export async function countDay(
  db: Scoped,
  userId: string,
  { day, begins, ends }: DayBounds,
): Promise<Counts> {
  const own = sql`e.cancelled_at is null and e.people @> array[${userId}::uuid]`;
  const due = sql`d.status = 'open' and (not d.imported or d.verified_at is not null)
    and d.effective_date <= ${day}::date and d.is_active`;
  const { rows } = await sql<Counts>`
    select (select count(*)::int from events e where ${own} and not e.all_day
        and tstzrange(e.starts_at, e.ends_at, '[]') && tstzrange(${begins}, ${ends}, '[)')
        and (e.ends_at > ${begins} or e.starts_at >= ${begins}))
      + (select count(*)::int from events e where ${own} and e.all_day
        and daterange(e.first_day, e.last_day, '[]') && daterange(${day}::date, ${day}::date, '[]'))
        as items,
      (select count(*)::int from (
        select d.id from deadlines d where ${due} and d.owner_id = ${userId}
        union select d.id from deadlines d where ${due} and d.hard and d.second_id = ${userId}) found)
        as deadlines,
      (select count(*)::int from tasks t where t.assigned_to = ${userId} and t.deleted_at is null
        and t.done_at is null and t.end_time >= ${begins} and t.end_time < ${ends} and t.is_active)
        as tasks`.execute(db);
  return rows[0] ?? { items: 0, deadlines: 0, tasks: 0 };
}

/** The database's clock. */
export async function readClock(db: Executor): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}

export async function isWritten(db: Executor, day: string): Promise<boolean> {
  const found = await db
    .selectFrom('digest_days')
    .select('day')
    .where('day', '=', day)
    .executeTakeFirst();
  return found !== undefined;
}

export async function finishDay(trx: Transaction, day: string): Promise<void> {
  await trx
    .insertInto('digest_days')
    .values({ day })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether the server was off at an instant. */
export async function wasOff(db: Executor, at: Date): Promise<boolean> {
  const found = await db
    .selectFrom('absences')
    .select('to_at')
    .where('from_at', '<=', at)
    .where('to_at', '>=', at)
    .executeTakeFirst();
  return found !== undefined;
}

export type Recipient = { id: string; permissions: { editCalendar: boolean } };

/** Active users who want a digest, in order of id. */
export async function listRecipients(
  db: Executor,
  after: string,
  limit: number,
): Promise<Recipient[]> {
  const { rows } = await sql<{ id: string; edits: boolean }>`
    select u.id, coalesce(u.role = 'admin' or u.permissions->>'editCalendar' = 'true', false) as edits
    from users u left join notice_settings s on s.user_id = u.id
    where u.active and u.id > ${after} and coalesce(s.digest, true)
    order by u.id limit ${limit}`.execute(db);
  return rows.map(({ id, edits }) => ({ id, permissions: { editCalendar: edits } }));
}
