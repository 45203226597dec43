import { type Kysely, sql } from 'kysely';

/** Intakes with a name or in a stage, and alerts that wait for a decision, are found without a look at all others. */
const statements = [
  sql`create index intakes_named on base.intakes (lower(name))`,
  sql`create index intakes_in_stage on base.intakes (stage) where not is_spam`,
  sql`create index conflict_alerts_open on base.conflict_alerts (at desc, id) where decision is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
