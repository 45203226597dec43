import { sql, type Kysely } from 'kysely';

/**
 * Case counts, kept by the transaction that changes them. Each statement adds a row, so that transactions never wait
 * for each other; the sum is the count. Now and then a statement replaces the rows that it sees with their sum.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table case_counts (
      status_type text not null,
      cases int not null,
      -- Grows with each change of a status type or a searched text.
      changes bigint not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`.execute(db);
  await createFunctions(db);
  await createTriggers(db);
  // The triggers lock out other writers until the commit.
  await sql`insert into case_counts
    select status_type, count(*), count(*) from cases group by status_type`.execute(db);
}

async function createFunctions(db: Kysely<unknown>) {
  await sql`
    create function fold_case_counts() returns void language plpgsql as $$ begin
      if random() > 0.02 then return; end if;
      with folded as (
        delete from case_counts
        where ctid = any (array(select ctid from case_counts for update skip locked))
        returning *)
      insert into case_counts
        select status_type, sum(cases), sum(changes) from folded group by status_type;
    end $$`.execute(db);
  await sql`
    create function count_added_cases() returns trigger language plpgsql as $$ begin
      insert into case_counts
        select status_type, count(*), count(*) from added group by status_type;
      perform fold_case_counts();
      return null;
    end $$`.execute(db);
  await sql`
    create function count_removed_cases() returns trigger language plpgsql as $$ begin
      insert into case_counts
        select status_type, -count(*), count(*) from removed group by status_type;
      return null;
    end $$`.execute(db);
  await sql`
    create function count_changed_case() returns trigger language plpgsql as $$ begin
      insert into case_counts values (old.status_type, -1, 1), (new.status_type, 1, 1);
      perform fold_case_counts();
      return null;
    end $$`.execute(db);
}

async function createTriggers(db: Kysely<unknown>) {
  await sql`
    create trigger cases_count_added after insert on cases referencing new table as added
      for each statement execute function count_added_cases()`.execute(db);
  await sql`
    create trigger cases_count_removed after delete on cases referencing old table as removed
      for each statement execute function count_removed_cases()`.execute(db);
  await sql`
    create trigger cases_count_changed after update of status_type, search_text on cases
      for each row when (old.status_type <> new.status_type or old.search_text <> new.search_text)
      execute function count_changed_case()`.execute(db);
}
