import { type Kysely, sql } from 'kysely';

/**
 * Intakes with a name or in a stage, alerts that wait for a decision, and a person's open tasks are found without a look at
 * all others.
 */
const statements = [
  sql`create index intakes_named on base.intakes (lower(name))`,
  sql`create index intakes_in_stage on base.intakes (stage) where not is_spam`,
  sql`create index conflict_alerts_open on base.conflict_alerts (at desc, id) where decision is null`,
  sql`
    create index tasks_open_of_person on base.tasks (assigned_to, end_time, id)
      where is_active and deleted_at is null and done_at is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
