import { sql, type Kysely } from 'kysely';

/** Events, a row for each occurrence of a series; and what their calendar shows beside them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_series (
      id uuid primary key default gen_random_uuid(),
      rule text not null,
      is_endless boolean not null,
      expanded_to date not null,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index event_series_endless on event_series (expanded_to) where is_endless`.execute(
    db,
  );
  await createEvents(db);
  await indexTimes(db);
  await sql`
    create view events as select t.* from base.events t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
      with local check option`.execute(db);
  await keepScreens(db);
  await sql`
    create table zone_rules (
      is_single boolean primary key default true check (is_single),
      version text not null
    )`.execute(db);
}

/** The wall times and their zone are what was agreed; instants are derived from them. */
async function createEvents(db: Kysely<unknown>) {
  await sql`
    create table base.events (
      id uuid primary key default gen_random_uuid(),
      series_id uuid references event_series (id),
      slot text,
      is_alone boolean not null default false,
      case_id uuid references base.cases (id),
      title text not null,
      kind text not null,
      all_day boolean not null,
      wall_start text not null,
      wall_end text not null,
      time_zone text not null,
      starts_at timestamptz(3),
      ends_at timestamptz(3),
      first_day date,
      last_day date,
      location text not null,
      link text not null,
      notes text not null,
      people uuid[] not null,
      guests jsonb not null,
      reminders int[] not null,
      is_private boolean not null,
      source jsonb,
      cancelled_at timestamptz(3),
      sequence int not null default 0,
      organizer_id uuid not null references users (id),
      search_text text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      check (not is_private or case_id is null),
      check (all_day = (starts_at is null) and all_day = (ends_at is null)),
      check (all_day = (first_day is not null) and all_day = (last_day is not null)),
      check (ends_at >= starts_at and last_day >= first_day)
    )`.execute(db);
  await sql`create index events_of_series on base.events (series_id, slot) where series_id is not null`.execute(
    db,
  );
  await sql`create index events_of_case on base.events (case_id) where case_id is not null`.execute(
    db,
  );
}

/** Closed ranges: an event without a length would be an empty range otherwise, which overlaps nothing. */
async function indexTimes(db: Kysely<unknown>) {
  await sql`create index events_at on base.events using gist (tstzrange(starts_at, ends_at, '[]'))
    where not all_day`.execute(db);
  await sql`create index events_on on base.events using gist (daterange(first_day, last_day, '[]'))
    where all_day`.execute(db);
  await sql`create index tasks_at on base.tasks using gist (tstzrange(start_time, end_time, '[]'))
    where deleted_at is null and end_time >= start_time`.execute(db);
  await sql`create index cases_by_opening on base.cases (date_of_opening) where status_type = 'Active'`.execute(
    db,
  );
  await sql`create index cases_by_incident on base.cases (doi) where status_type = 'Active'`.execute(
    db,
  );
}

/** A user who is screened from a matter attends none of its events. */
async function keepScreens(db: Kysely<unknown>) {
  await sql`
    create function base.keep_screens_of_events() returns trigger language plpgsql as $$
      declare who text;
      begin
        select u.first_name || ' ' || u.last_name into who
          from base.case_access a join users u on u.id = a.user_id
          where a.case_id = new.case_id and a.user_id = any(new.people) and a.kind = 'screened';
        if who is not null then
          raise exception using errcode = 'MDSCR', message = who || ' is screened from this matter';
        end if;
        return new;
      end $$`.execute(db);
  await sql`
    create trigger events_keep_screens before insert or update of people, case_id on base.events
      for each row when (new.case_id is not null) execute function base.keep_screens_of_events()`.execute(
    db,
  );
}
