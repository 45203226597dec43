import { sql, type Kysely } from 'kysely';

/**
 * The assigned people of a case stand in its row too, in their order, so that a calendar with thousands of dates looks
 * none of them up. A trigger keeps them; a new case brings them along, and is then left as it is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await fillIn(db);
  await showThem(db);
  await keepThem(db);
}

/** Written again as a table, which is faster than row by row. */
async function fillIn(db: Kysely<unknown>) {
  await sql`
    create function base.people_of_case(uuid) returns uuid[] language plpgsql stable as $$ begin
      return array(select user_id from base.case_assignments where case_id = $1 order by position);
    end $$`.execute(db);
  await sql`alter table base.cases add column people uuid[]`.execute(db);
  await sql`
    alter table base.cases alter column people type uuid[] using base.people_of_case(id)`.execute(
    db,
  );
  await sql`
    alter table base.cases alter column people set default '{}', alter column people set not null`.execute(
    db,
  );
}

async function showThem(db: Kysely<unknown>) {
  await sql`
    do $$ begin
      execute 'create or replace view cases as '
        || replace(pg_get_viewdef('cases'::regclass), 'FROM base.cases c', ', c.people FROM base.cases c');
    end $$`.execute(db);
}

async function keepThem(db: Kysely<unknown>) {
  await sql`
    create function base.keep_people() returns trigger language plpgsql as $$ begin
      update base.cases c set people = base.people_of_case(c.id)
        where c.id in (select case_id from changed) and c.people <> base.people_of_case(c.id);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger case_people_added after insert on base.case_assignments
      referencing new table as changed for each statement execute function base.keep_people()`.execute(
    db,
  );
  await sql`
    create trigger case_people_removed after delete on base.case_assignments
      referencing old table as changed for each statement execute function base.keep_people()`.execute(
    db,
  );
}
