import { sql, type Kysely } from 'kysely';

/** What waits for a person, found without a look at what waits for no one. Imported dates are silent until verified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const speaks = sql`status = 'open' and (not imported or verified_at is not null)`;
  await sql`create index deadlines_of_owner on base.deadlines (owner_id, due_at) where ${speaks}`.execute(
    db,
  );
  await sql`create index deadlines_of_second on base.deadlines (second_id, due_at)
    where ${speaks} and hard`.execute(db);
  await sql`create index deadlines_overdue on base.deadlines (due_at) where ${speaks}`.execute(db);
  await sql`create index deadlines_pending on base.deadlines (id) where pending is not null`.execute(
    db,
  );
}
