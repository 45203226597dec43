import { sql } from 'kysely';
import type { Scoped } from '../../db/schema.ts';

const counting = sql<number>`count(*)::int`.as('counted');

/** First and last day, `YYYY-MM-DD`. */
type Days = { from: string; to: string };

function limitations(db: Scoped, { from, to }: Days) {
  return db
    .selectFrom('cases')
    .where('status_type', '=', 'Active')
    .where('sol', '>=', from)
    .where('sol', '<=', to);
}

/** Active cases whose statute of limitations falls between two days, soonest first. */
export function listLimitations(db: Scoped, days: Days & { limit: number }) {
  return limitations(db, days)
    .select(['id', 'case_name', 'case_no', 'status', 'sol'])
    .orderBy('sol')
    .orderBy('id')
    .limit(days.limit)
    .execute();
}

export async function countLimitations(db: Scoped, days: Days): Promise<number> {
  const { counted } = await limitations(db, days).select(counting).executeTakeFirstOrThrow();
  return counted;
}
