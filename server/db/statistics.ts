// Statistics of the planner, for work that fills tables faster than the database looks at them.

import { sql } from 'kysely';
import type { Database } from './schema.ts';

const WHY = 'plans are made for the rows of everyone';

/**
 * Takes the statistics of tables of which more than a fifth has changed since they were taken last, as autovacuum would
 * within a minute. Plans that connections keep were made for the smaller tables, and are made anew.
 */
export async function analyzeChanged(database: Database): Promise<void> {
  const db = database.asSystem(WHY);
  const { rows } = await sql<{ schema: string; name: string }>`
    select s.schemaname as schema, s.relname as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname in ('base', 'public')
      and s.n_mod_since_analyze > 50 + 0.2 * greatest(c.reltuples, 0)
    order by 1, 2`.execute(db);
  for (const { schema, name } of rows) await sql`analyze ${sql.id(schema, name)}`.execute(db);
}
