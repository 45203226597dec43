import { sql, type Kysely } from 'kysely';

/** Lists of cases by their limitation, name and days open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index cases_by_sol on base.cases (status_type, sol, serial)`.execute(db);
  await sql`
    create index cases_by_name on base.cases (status_type, (case_name collate "und-x-icu"), serial)`.execute(
    db,
  );
  // The days open of active cases grow alike, so that their order stays; those of archived ones stand still.
  await sql`
    create index cases_by_days_active on base.cases
      ((days_open * 86400::numeric - extract(epoch from days_open_since at time zone 'UTC')), serial)
      where status_type = 'Active'`.execute(db);
  await sql`
    create index cases_by_days_archived on base.cases
      ((days_open * 86400::numeric + extract(epoch from archived_at - days_open_since)), serial)
      where status_type = 'Archive'`.execute(db);
}
