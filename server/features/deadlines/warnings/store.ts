import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { DeadlineState } from '../../../db/schema-deadlines.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import type { Progress } from './rules.ts';

export type DueRow = DeadlineState &
  Progress & { now: Date; has_owner: boolean; has_second: boolean };

const isActive = (column: string) =>
  sql<boolean>`exists (select from users u where u.id = ${sql.raw(column)} and u.active
    and base.sees_case(u.id, d.case_id))`;

/**
 * Locks deadlines with something to do, and their progress. Changes that another process commits meanwhile are checked
 * again; locked deadlines wait for the next round.
 */
export async function lockDue(trx: Transaction, limit: number): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select d.*, w.about, w.warned_days, w.warned_at, w.step, w.repeated_on,
      clock_timestamp() as now, ${isActive('d.owner_id')} as has_owner,
      ${isActive('d.second_id')} as has_second
    from deadlines d join deadline_warnings w on w.deadline_id = d.id
    where w.look_at <= statement_timestamp()
    order by w.look_at limit ${limit} for update of d, w skip locked`.execute(trx);
  return rows;
}

export type SavedProgress = Progress & { deadline_id: string; look_at: Date | null };

export async function saveProgress(trx: Transaction, rows: SavedProgress[]): Promise<void> {
  await sql`update deadline_warnings set about = t.about, warned_days = t.warned_days,
      warned_at = t.warned_at, step = t.step, repeated_on = t.repeated_on, look_at = t.look_at
    from json_to_recordset(${JSON.stringify(rows)}) as t (deadline_id uuid, about text, warned_days int,
      warned_at timestamptz, step int, repeated_on date, look_at timestamptz)
    where deadline_warnings.deadline_id = t.deadline_id`.execute(trx);
}

export async function namesOf(db: Scoped, ids: string[]): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { id: row.id, firstName: row.first_name, lastName: row.last_name }]),
  );
}

export type Absence = { from_at: Date; to_at: Date };

/** Spans in which the server was off that end after `since`. */
export function listAbsences(db: Scoped, since: Date): Promise<Absence[]> {
  return db.selectFrom('absences').selectAll().where('to_at', '>=', since).execute();
}
