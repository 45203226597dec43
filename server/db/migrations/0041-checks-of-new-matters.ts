import { sql, type Kysely } from 'kysely';

/** Matters that wait for their first conflict check, and whose names changed roles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table base.unchecked_cases (
      case_id uuid primary key references base.cases (id) on delete cascade,
      by_id uuid references users (id)
    )`.execute(db);
  await sql`
    create view unchecked_cases as select t.* from base.unchecked_cases t
      where exists (select from cases c where c.id = t.case_id)
      with local check option`.execute(db);
  // A contact that becomes a party stands against others as if its name were new.
  await sql`
    create function base.check_party() returns trigger language plpgsql as $$ begin
      update base.names set is_checked = false where source = 'contacts' and source_id = new.contact_id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger parties_are_checked after insert or update of contact_id, role on base.parties
      for each row when (new.embedded is null) execute function base.check_party()`.execute(db);
}
