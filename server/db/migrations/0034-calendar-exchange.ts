import { sql, type Kysely } from 'kysely';

/** Feeds for other calendars, and what came from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    )`.execute(db);
  await sql`create index calendar_feeds_of_user on calendar_feeds (user_id)`.execute(db);
  await sql`
    create table base.imported_events (
      event_id uuid primary key references base.events (id) on delete cascade,
      uid text not null,
      slot text not null,
      sequence int not null,
      stamp timestamptz(3),
      organizer text not null
    )`.execute(db);
  await sql`create index imported_events_by_uid on base.imported_events (uid, slot)`.execute(db);
  await sql`
    create view imported_events as select t.* from base.imported_events t
      where exists (select from events e where e.id = t.event_id)
      with local check option`.execute(db);
}
