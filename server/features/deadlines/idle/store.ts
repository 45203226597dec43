import { sql } from 'kysely';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';

export type IdleRow = {
  id: string;
  serial: string;
  case_name: string;
  case_no: string;
  since: Date | null;
  assigned: Person | null;
};

/** Active, with nothing ahead. */
const idle = sql<boolean>`a.is_active and a.latest_at <= statement_timestamp()`;

/** Counts cases with nothing ahead up to `cap`. */
export const countIdle = (cap: number) => sql<number>`(select count(*)::int from (
  select from case_ahead a where ${idle} limit ${cap}) idle)`;

export async function countIdleCases(db: Scoped, cap: number): Promise<number> {
  const { rows } = await sql<{ counted: number }>`select ${countIdle(cap)} as counted`.execute(db);
  return rows[0]?.counted ?? 0;
}

/**
 * Active cases with nothing ahead, those that have waited the longest first.
 * @param after `since` of the last row, ISO 8601 or `-infinity`, and its serial
 */
export async function listIdleCases(
  db: Scoped,
  { limit, after }: { limit: number; after?: string[] | undefined },
): Promise<IdleRow[]> {
  const [since, serial] = after ?? [];
  const beyond = after
    ? sql<boolean>`(a.latest_at, a.serial) > (${since}::timestamptz, ${serial}::bigint)`
    : sql<boolean>`true`;
  const { rows } = await sql<IdleRow>`
    select c.id, c.serial, c.case_name, c.case_no, nullif(a.latest_at, '-infinity') as since,
      (select jsonb_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name)
        from case_assignments s join users u on u.id = s.user_id
        where s.case_id = c.id order by s.position limit 1) as assigned
    from case_ahead a join cases c on c.id = a.case_id
    where ${idle} and ${beyond}
    order by a.latest_at, a.serial limit ${limit}`.execute(db);
  return rows;
}

/**
 * Finds out what lies ahead of cases from before it was kept, in order of opening.
 * @returns the last serial of the piece; null at the end
 */
export async function fillPiece(
  trx: Transaction,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select fill_case_ahead(${after}, ${limit}) as last`.execute(trx);
  return rows[0]?.last ?? null;
}
