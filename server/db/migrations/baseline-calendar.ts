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
