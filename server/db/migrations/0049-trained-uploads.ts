import { sql, type Kysely } from 'kysely';

/** A setting of the firm: files are trained as they are uploaded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table firm add column train_uploads boolean not null default false`.execute(db);
}
