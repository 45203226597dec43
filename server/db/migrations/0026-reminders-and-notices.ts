import { sql, type Kysely } from 'kysely';

/** Reminders that fall due, the notices they become, and the warnings of deadlines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createReminders(db);
  await keepReminders(db);
  await createNotices(db);
  await createRecipients(db);
  await createWarnings(db);
  await createClocks(db);
  await createViews(db);
}

/** One for each of an event's minutes; its people are read when it falls due. */
async function createReminders(db: Kysely<unknown>) {
  await sql`
    create table base.reminders (
      id bigint generated always as identity primary key,
      event_id uuid not null references base.events (id) on delete cascade,
      minutes int not null,
      -- Null for an all-day event until the application has derived it from the firm's morning.
      fire_at timestamptz(3),
      day date,
      -- The settings by which it was derived.
      derived_by text,
      set_at timestamptz(3) not null default clock_timestamp(),
      unique (event_id, minutes)
    )`.execute(db);
  await sql`create index reminders_due on base.reminders (fire_at)`.execute(db);
  await sql`create index reminders_of_days on base.reminders (derived_by) where day is not null`.execute(
    db,
  );
}

/** Whichever code writes an event, its reminders follow in the same transaction. */
async function keepReminders(db: Kysely<unknown>) {
  await sql`
    create function base.keep_reminders() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          delete from base.reminders r where r.event_id = new.id
            and (new.cancelled_at is not null or r.minutes <> all(new.reminders)
              or (old.starts_at, old.first_day) is distinct from (new.starts_at, new.first_day));
          -- What was put off is not raised again for an event that is canceled.
          if new.cancelled_at is not null then
            update base.notices set snoozed_until = null, seen_at = clock_timestamp()
              where event_id = new.id and snoozed_until is not null;
          end if;
          if new.case_id is distinct from old.case_id then
            update base.notices set case_id = new.case_id where event_id = new.id;
          end if;
        end if;
        if new.cancelled_at is null then
          -- Two days more than enough: the instant of an all-day event is derived later.
          insert into base.reminders (event_id, minutes, fire_at, day)
            select new.id, m, new.starts_at - make_interval(mins => m), new.first_day
              from unnest(new.reminders) m
              where coalesce(new.starts_at, new.first_day + interval '2 days')
                - make_interval(mins => m) > clock_timestamp()
            on conflict do nothing;
        end if;
        return null;
      end $$`.execute(db);
  await sql`
    create trigger events_start_reminders after insert on base.events
      for each row execute function base.keep_reminders()`.execute(db);
  await sql`
    create trigger events_keep_reminders after update on base.events
      for each row when (
        (old.starts_at, old.first_day, old.reminders, old.cancelled_at, old.case_id)
        is distinct from
        (new.starts_at, new.first_day, new.reminders, new.cancelled_at, new.case_id))
      execute function base.keep_reminders()`.execute(db);
  await sql`
    insert into base.reminders (event_id, minutes, fire_at, day)
      select e.id, m, e.starts_at - make_interval(mins => m), e.first_day
        from base.events e, unnest(e.reminders) m
        where e.cancelled_at is null and coalesce(e.starts_at, e.first_day + interval '2 days')
          - make_interval(mins => m) > clock_timestamp()
      on conflict do nothing`.execute(db);
}

async function createNotices(db: Kysely<unknown>) {
  await sql`create sequence base.notice_serial`.execute(db);
  await sql`
    create table base.notices (
      id uuid primary key default gen_random_uuid(),
      serial bigint not null default nextval('base.notice_serial'),
      user_id uuid not null references users (id),
      -- No foreign keys: their locks would meet those of writers, who wait for reminders.
      case_id uuid,
      event_id uuid,
      deadline_id uuid,
      type text not null
        check (type in ('reminder', 'warning', 'escalation', 'change', 'proposal', 'digest')),
      -- What it is about, so that no one receives the same notice twice.
      subject text not null,
      title text not null,
      -- What a mail says beside the title.
      body text not null default '',
      at timestamptz(3) not null,
      missed boolean not null default false,
      raised_at timestamptz(3) not null default clock_timestamp(),
      seen_at timestamptz(3),
      snoozed_until timestamptz(3),
      mail_state text check (mail_state in
        ('waiting', 'sending', 'again', 'sent', 'failed', 'unknown', 'no')),
      mail_tries int not null default 0,
      unique (user_id, subject)
    )`.execute(db);
  await sql`create index notices_listed on base.notices (user_id, serial desc)`.execute(db);
  await sql`create index notices_unseen on base.notices (user_id) where seen_at is null`.execute(
    db,
  );
  await sql`create index notices_snoozed on base.notices (snoozed_until) where snoozed_until is not null`.execute(
    db,
  );
  await sql`create index notices_of_event on base.notices (event_id) where event_id is not null`.execute(
    db,
  );
  await sql`
    create index notices_of_deadline on base.notices (deadline_id) where deadline_id is not null`.execute(
    db,
  );
}

/** Who receives them, and how. */
async function createRecipients(db: Kysely<unknown>) {
  // The rule of the view of cases, for any user.
  await sql`
    create function base.sees_case(who uuid, what uuid) returns boolean language sql stable as $$
      select what is null or exists (select from base.cases c where c.id = what and (
        not c.is_walled
        or (c.access = 'restricted' and exists (
          select from base.case_sight s where s.user_id = who and s.case_id = c.id
            and s.sees and (s.until is null or s.until > statement_timestamp())))
        or (c.access = 'open' and not exists (
          select from base.case_sight s where s.user_id = who and s.case_id = c.id
            and not s.sees))))
    $$`.execute(db);
  await sql`
    create table notice_settings (
      user_id uuid primary key references users (id),
      digest boolean not null default true,
      mail boolean not null default false
    )`.execute(db);
}

/** Where the warnings of a deadline are; whichever code changes it, they are looked at again. */
async function createWarnings(db: Kysely<unknown>) {
  await sql`
    create table base.deadline_warnings (
      deadline_id uuid primary key references base.deadlines (id) on delete cascade,
      -- When there is something to do; null when there is nothing any more.
      look_at timestamptz(3) default clock_timestamp(),
      -- The date and the owner that the other columns are about.
      about text not null default '',
      warned_days int,
      warned_at timestamptz(3),
      -- 0 the owner, 1 the second, 2 all who edit the calendar.
      step int not null default 0,
      -- The last morning on which it was repeated.
      repeated_on date,
      check (step between 0 and 2)
    )`.execute(db);
  await sql`
    create index deadline_warnings_due on base.deadline_warnings (look_at) where look_at is not null`.execute(
    db,
  );
  await sql`
    create function base.look_at_warnings() returns trigger language plpgsql as $$
      begin
        insert into base.deadline_warnings (deadline_id) values (new.id)
          on conflict (deadline_id) do update set look_at = clock_timestamp();
        return null;
      end $$`.execute(db);
  await sql`
    create trigger deadlines_start_warnings after insert on base.deadlines
      for each row execute function base.look_at_warnings()`.execute(db);
  await sql`
    create trigger deadlines_keep_warnings after update on base.deadlines
      for each row when (
        (old.effective_date, old.due_at, old.status, old.warn_days, old.owner_id, old.second_id,
          old.acknowledged_at, old.verified_at, old.imported, old.hard)
        is distinct from
        (new.effective_date, new.due_at, new.status, new.warn_days, new.owner_id, new.second_id,
          new.acknowledged_at, new.verified_at, new.imported, new.hard))
      execute function base.look_at_warnings()`.execute(db);
  await sql`insert into base.deadline_warnings (deadline_id) select id from base.deadlines`.execute(
    db,
  );
}

/** When the server was on, and which mornings are over. */
async function createClocks(db: Kysely<unknown>) {
  await sql`
    create table heartbeat (
      is_single boolean primary key default true check (is_single),
      at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create table absences (
      from_at timestamptz(3) not null,
      to_at timestamptz(3) not null,
      primary key (from_at, to_at)
    )`.execute(db);
  await sql`create table digest_days (day date primary key)`.execute(db);
}

async function createViews(db: Kysely<unknown>) {
  await sql`
    create view notices as select t.* from base.notices t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
      with local check option`.execute(db);
  await sql`
    create view reminders as select t.* from base.reminders t
      where exists (select from events e where e.id = t.event_id)
      with local check option`.execute(db);
  await sql`
    create view deadline_warnings as select t.* from base.deadline_warnings t
      where exists (select from deadlines d where d.id = t.deadline_id)
      with local check option`.execute(db);
}
