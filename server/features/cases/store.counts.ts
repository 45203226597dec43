import { type RawBuilder, sql } from 'kysely';
import type { StatusType } from '@matterdesk/contract/cases.ts';
import type { Scoped } from '../../db/schema.ts';

/**
 * The kept count of cases of one status or of all, as part of another statement; or of their changes, which is the
 * same only as long as every search finds the same.
 */
export function kept(
  column: 'cases' | 'changes',
  statusType: StatusType | RawBuilder<StatusType> | undefined,
) {
  const ofStatus = statusType === undefined ? sql`` : sql`where status_type = ${statusType}`;
  return sql<number>`(select coalesce(sum(${sql.ref(column)}), 0)::float8 from visible_counts ${ofStatus})`;
}

export type Counts = { cases: number; changes: number };

export function readCounts(db: Scoped, statusType?: StatusType): Promise<Counts> {
  return db
    .selectNoFrom([
      kept('cases', statusType).as('cases'),
      kept('changes', statusType).as('changes'),
    ])
    .executeTakeFirstOrThrow();
}

/** Exact, unlike a list's total. */
export function countByStatusType(db: Scoped) {
  return db
    .selectFrom('visible_counts')
    .select(['status_type', sql<number>`sum(cases)::float8`.as('counted')])
    .groupBy('status_type')
    .execute();
}

export type Sight = {
  /** Whether walls show the user in scope more, or less, than most users see. */
  isOwn: boolean;
  /** Cases that the user sees, and all cases. */
  seen: number;
  all: number;
};

export async function readSight(db: Scoped): Promise<Sight> {
  const { rows } = await sql<Sight>`
    select exists (select from own_sight) as "isOwn", ${kept('cases', undefined)} as seen,
      (select coalesce(sum(cases), 0)::float8 from case_counts) as all`.execute(db);
  return rows[0] ?? { isOwn: false, seen: 0, all: 0 };
}
