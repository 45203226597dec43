import { sql, type Kysely } from 'kysely';

/** Indexes the newest active case of each number first, to name thousands of conversations quickly. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column digits text
    generated always as (case when other_number like '+%' then substr(other_number, 2) end) stored`.execute(
    db,
  );
  for (const side of ['client', 'counsel']) {
    const index = sql.id(`cases_by_${side}_phone`);
    await sql`drop index ${index}`.execute(db);
    await sql`create index ${index} on cases
      (phone_digits(${sql.id(`${side}_phone_number`)}), status_type, serial desc)`.execute(db);
  }
}
