import { sql, type Kysely } from 'kysely';

/** Lists the cases that are open to all, few as they may be, for people who see little of a restricted firm. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index cases_open on base.cases (serial) where access = 'open'`.execute(db);
}
