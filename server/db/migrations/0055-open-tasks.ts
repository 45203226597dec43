import { sql, type Kysely } from 'kysely';

/** Open tasks of active cases are listed and counted by their end; those of archived ones, the most, are passed by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index base.tasks_open`.execute(db);
  await sql`create index tasks_open on base.tasks (end_time, id) include (case_id, is_walled, access)
    where is_active and deleted_at is null and done_at is null`.execute(db);
}
