import { type Kysely, sql } from 'kysely';

/** The task with which a paper was filed, which goes with an undo. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tray_items add column task_id uuid`.execute(db);
}
