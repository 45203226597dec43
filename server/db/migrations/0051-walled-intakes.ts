import { sql, type Kysely } from 'kysely';

/** The list of what stands behind a wall finds intakes as it finds cases. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index intakes_walled on base.intakes (number desc) where is_walled`.execute(db);
  await sql`
    create index intake_access_history_of_intake on base.intake_access_history (intake_id, id desc)`.execute(
    db,
  );
}
