import { sql, type RawBuilder } from 'kysely';
import { keepScreens, visible } from './baseline-walls.ts';

/** Events, a row for each occurrence of a series; feeds for other calendars, and what came from them. */
export const calendar: RawBuilder<unknown>[] = [
  sql`
    create table event_series (
      id uuid primary key default gen_random_uuid(),
      rule text not null,
      is_endless boolean not null,
      expanded_to date not null,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index event_series_endless on event_series (expanded_to) where is_endless`,
  // The wall times and their zone are what was agreed; instants are derived from them.
  sql`
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
      -- Copies of the case's.
      is_walled boolean not null default false,
      access text not null default 'open',
      check (not is_private or case_id is null),
      check (all_day = (starts_at is null) and all_day = (ends_at is null)),
      check (all_day = (first_day is not null) and all_day = (last_day is not null)),
      check (ends_at >= starts_at and last_day >= first_day)
    )`,
  sql`create index events_of_series on base.events (series_id, slot) where series_id is not null`,
  sql`create index events_of_case on base.events (case_id) where case_id is not null`,
  // Closed ranges: an event without a length would be an empty range otherwise, which overlaps nothing.
  sql`create index events_at on base.events using gist (tstzrange(starts_at, ends_at, '[]'))
    where not all_day`,
  sql`create index events_on on base.events using gist (daterange(first_day, last_day, '[]'))
    where all_day`,
  sql`create index events_search on base.events using gin (search_text gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 256)`,
  sql`
    create view events as
      select
        t.id, t.series_id, t.slot, t.is_alone, t.case_id, t.title, t.kind, t.all_day, t.wall_start,
        t.wall_end, t.time_zone, t.starts_at, t.ends_at, t.first_day, t.last_day, t.location, t.link,
        t.notes, t.people, t.guests, t.reminders, t.is_private, t.source, t.cancelled_at, t.sequence,
        t.organizer_id, t.search_text, t.created_at, t.updated_at
      from base.events t where ${visible('t', 'case_id')} with local check option`,
  keepScreens('events', "a.user_id = any(new.people) and a.kind = 'screened'"),
  sql`
    create trigger events_keep_screens before insert or update of people, case_id on base.events
      for each row when (new.case_id is not null) execute function base.keep_screens_of_events()`,
  sql`
      create trigger events_copy_case before insert or update of case_id on base.events
        for each row execute function base.copy_walls()`,
  sql`
    create table zone_rules (
      is_single boolean primary key default true check (is_single),
      version text not null
    )`,
  sql`
    create table calendar_feeds (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id),
      token_hash bytea not null unique,
      name text not null,
      people uuid[] not null,
      kinds text[] not null,
      case_id uuid references base.cases (id) on delete cascade,
      detail text not null check (detail in ('brief', 'full', 'busy')),
      read_at timestamptz(3),
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index calendar_feeds_of_user on calendar_feeds (user_id)`,
  sql`
    create table base.imported_events (
      event_id uuid primary key references base.events (id) on delete cascade,
      uid text not null,
      slot text not null,
      sequence int not null,
      stamp timestamptz(3),
      organizer text not null
    )`,
  sql`create index imported_events_by_uid on base.imported_events (uid, slot)`,
  sql`
    create view imported_events as select t.* from base.imported_events t
      where exists (select from events e where e.id = t.event_id)
      with local check option`,
];

/** Which rows of a table count. */
const counted = [
  ['tasks', 'true'],
  ['events', 'case_id is not null'],
  ['deadlines', "case_id is not null and kind <> 'limitation'"],
] as const;

/**
 * When the last of what belongs to a case ends, kept by the transaction that changes it, so that cases with nothing
 * ahead are a range of an index (decision 40).
 */
export const ahead: RawBuilder<unknown>[] = [
  // A table of its own: each change of a case would write its search text into its indexes again.
  sql`
    create table base.case_ahead (
      case_id uuid primary key references base.cases (id) on delete cascade,
      -- Copies of the case's, so that the index alone answers.
      serial bigint not null,
      is_active boolean not null,
      is_walled boolean not null,
      access text not null,
      latest_at timestamptz(3) not null default '-infinity'
    ) with (fillfactor = 80)`,
  sql`
    create index case_ahead_idle on base.case_ahead (latest_at, serial) include (case_id, is_walled, access)
      where is_active`,
  // As the view of cases, without a look at them.
  sql`create view case_ahead as select c.* from base.case_ahead c where ${visible('c', 'case_id')}`,
  // A deadline that is closed and a task that is done count until then. Days of events end as UTC's do, wherever the database is.
  sql`
    create function base.latest_of_case(uuid) returns timestamptz language sql stable as $$
      select coalesce(greatest(
        (select max(least(t.end_time, t.done_at)) from base.tasks t
          where t.case_id = $1 and t.deleted_at is null),
        (select max(coalesce(e.ends_at, (e.last_day + 1)::timestamp at time zone 'UTC'))
          from base.events e where e.case_id = $1 and e.cancelled_at is null),
        (select max(case d.status when 'open' then d.due_at else least(d.due_at, d.updated_at) end)
          from base.deadlines d where d.case_id = $1 and d.kind <> 'limitation')), '-infinity')
    $$`,
  // Under the row's lock another statement sees what others have committed: the last of two writers counts both.
  sql`
    create function base.follow_ahead(ids uuid[]) returns void language plpgsql as $$ begin
      -- The case first, as changes of cases do, since a new row refers to it.
      perform from base.cases c where c.id = any(ids)
        and not exists (select from base.case_ahead a where a.case_id = c.id)
        order by c.id for key share of c;
      insert into base.case_ahead (case_id, serial, is_active, is_walled, access)
        select c.id, c.serial, c.status_type = 'Active', c.is_walled, c.access from base.cases c
        where c.id = any(ids) order by c.id on conflict do nothing;
      perform from base.case_ahead where case_id = any(ids) order by case_id for no key update;
      update base.case_ahead a set latest_at = n.latest
        from (select id, base.latest_of_case(id)::timestamptz(3) as latest from unnest(ids) id) n
        where a.case_id = n.id and a.latest_at <> n.latest;
    end $$`,
  // Fills in cases that have no row, beside the running server.
  sql`
    create function fill_case_ahead(after bigint, most int) returns bigint language sql as $$
      with piece as materialized (
        select c.id, c.serial, c.status_type = 'Active' as is_active, c.is_walled, c.access
          from base.cases c
        where c.serial > after and not exists (select from base.case_ahead a where a.case_id = c.id)
        order by c.serial limit most for key share of c),
      added as (
        insert into base.case_ahead
          select id, serial, is_active, is_walled, access, base.latest_of_case(id) from piece
        on conflict do nothing)
      select max(serial) from piece
    $$`,
  sql`
    create function base.add_case_ahead() returns trigger language plpgsql as $$ begin
      insert into base.case_ahead (case_id, serial, is_active, is_walled, access)
        select id, serial, status_type = 'Active', is_walled, access from added on conflict do nothing;
      return null;
    end $$`,
  sql`
    create trigger cases_ahead_added after insert on base.cases referencing new table as added
      for each statement execute function base.add_case_ahead()`,
  sql`
    create function base.follow_case_ahead() returns trigger language plpgsql as $$ begin
      insert into base.case_ahead (case_id, serial, is_active, is_walled, access)
        values (new.id, new.serial, new.status_type = 'Active', new.is_walled, new.access)
        on conflict (case_id) do update
          set is_active = excluded.is_active, is_walled = excluded.is_walled, access = excluded.access;
      perform base.follow_ahead(array[new.id]);
      return null;
    end $$`,
  sql`
    create trigger cases_ahead_changed after update of status_type, is_walled, access on base.cases
      for each row when (old.status_type <> new.status_type or old.is_walled <> new.is_walled
        or old.access <> new.access)
      execute function base.follow_case_ahead()`,
  ...counted.flatMap(([table, counts]) => followAdded(table, counts)),
  ...counted.slice(1).flatMap(([table, counts]) => followChanged(table, counts)),
  // A move on the board, the most frequent write, changes none of these columns.
  sql`
    create function base.follow_task_ahead() returns trigger language plpgsql as $$ begin
      perform base.follow_ahead(array[old.case_id, new.case_id]);
      return null;
    end $$`,
  sql`
    create trigger tasks_ahead_changed after update of end_time, done_at, deleted_at, case_id on base.tasks
      for each row when (old.end_time <> new.end_time or old.case_id <> new.case_id
        or old.done_at is distinct from new.done_at
        or old.deleted_at is distinct from new.deleted_at)
      execute function base.follow_task_ahead()`,
];

/** Follows added rows, one time a statement. */
function followAdded(table: string, counts: string): RawBuilder<unknown>[] {
  const follow = sql.id('base', `follow_added_${table}`);
  return [
    sql`
    create function ${follow}() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        select array_agg(distinct case_id) into ids from new_rows where ${sql.raw(counts)};
        if ids is not null then perform base.follow_ahead(ids); end if;
        return null;
      end $$`,
    sql`
    create trigger ${sql.id(`${table}_ahead_added`)} after insert on base.${sql.id(table)}
      referencing new table as new_rows for each statement execute function ${follow}()`,
  ];
}

function followChanged(table: string, counts: string): RawBuilder<unknown>[] {
  const follow = sql.id('base', `follow_changed_${table}`);
  return [
    sql`
    create function ${follow}() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        select array_agg(distinct case_id) into ids from (
          select case_id from old_rows where ${sql.raw(counts)}
          union select case_id from new_rows where ${sql.raw(counts)}) rows;
        if ids is not null then perform base.follow_ahead(ids); end if;
        return null;
      end $$`,
    sql`
    create trigger ${sql.id(`${table}_ahead_changed`)} after update on base.${sql.id(table)}
      referencing old table as old_rows new table as new_rows
      for each statement execute function ${follow}()`,
  ];
}
