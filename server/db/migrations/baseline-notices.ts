import { sql, type RawBuilder } from 'kysely';

/** Reminders that fall due, the notices they become, and when the server was on. */
export const notices: RawBuilder<unknown>[] = [
  // One for each of an event's minutes; its people are read when it falls due.
  sql`
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
    )`,
  sql`create index reminders_due on base.reminders (fire_at)`,
  sql`create index reminders_of_days on base.reminders (derived_by) where day is not null`,
  // Whichever code writes an event, its reminders follow in the same transaction.
  sql`
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
      end $$`,
  sql`
    create trigger events_start_reminders after insert on base.events
      for each row execute function base.keep_reminders()`,
  sql`
    create trigger events_keep_reminders after update on base.events
      for each row when (
        (old.starts_at, old.first_day, old.reminders, old.cancelled_at, old.case_id)
        is distinct from
        (new.starts_at, new.first_day, new.reminders, new.cancelled_at, new.case_id))
      execute function base.keep_reminders()`,
  sql`
    create view reminders as select t.* from base.reminders t
      where exists (select from events e where e.id = t.event_id)
      with local check option`,
  sql`create sequence base.notice_serial`,
  sql`
    create table base.notices (
      id uuid primary key default gen_random_uuid(),
      serial bigint not null default nextval('base.notice_serial'),
      user_id uuid not null references users (id),
      -- No foreign keys: their locks would meet those of writers, who wait for reminders.
      case_id uuid,
      event_id uuid,
      deadline_id uuid,
      type text not null
        check (type in ('reminder', 'warning', 'escalation', 'change', 'proposal', 'digest',
        'access', 'account')),
      -- Subject of the notice, so that no one receives it twice.
      subject text not null,
      title text not null,
      -- Text of a mail besides the title.
      body text not null default '',
      at timestamptz(3) not null,
      missed boolean not null default false,
      raised_at timestamptz(3) not null default clock_timestamp(),
      seen_at timestamptz(3),
      snoozed_until timestamptz(3),
      mail_state text check (mail_state in
        ('waiting', 'sending', 'again', 'sent', 'failed', 'unknown', 'no')),
      mail_tries int not null default 0,
      intake_id uuid,
      unique (user_id, subject)
    )`,
  sql`create index notices_listed on base.notices (user_id, serial desc)`,
  sql`create index notices_unseen on base.notices (user_id) where seen_at is null`,
  sql`create index notices_snoozed on base.notices (snoozed_until) where snoozed_until is not null`,
  sql`create index notices_of_event on base.notices (event_id) where event_id is not null`,
  sql`
    create index notices_of_deadline on base.notices (deadline_id) where deadline_id is not null`,
  sql`
    create index notices_of_intake on base.notices (intake_id) where intake_id is not null`,
  // Notices about an intake stay behind its wall, as those about a case do.
  sql`
    create view notices as select t.* from base.notices t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
        and (t.intake_id is null or exists (select from intakes i where i.id = t.intake_id))
      with local check option`,
  // The rule of the view of cases, for any user.
  sql`
    create function base.sees_case(who uuid, what uuid) returns boolean language sql stable as $$
      select what is null or exists (select from base.cases c where c.id = what and (
        not c.is_walled
        or (c.access = 'restricted' and exists (
          select from base.case_sight s where s.user_id = who and s.case_id = c.id
            and s.sees and (s.until is null or s.until > statement_timestamp())))
        or (c.access = 'open' and not exists (
          select from base.case_sight s where s.user_id = who and s.case_id = c.id
            and not s.sees))))
    $$`,
  sql`
    create table notice_settings (
      user_id uuid primary key references users (id),
      digest boolean not null default true,
      mail boolean not null default false
    )`,
  // When the server was on, and which mornings are over.
  sql`
    create table heartbeat (
      is_single boolean primary key default true check (is_single),
      at timestamptz(3) not null
    )`,
  sql`
    create table absences (
      from_at timestamptz(3) not null,
      to_at timestamptz(3) not null,
      primary key (from_at, to_at)
    )`,
  sql`create table digest_days (day date primary key)`,
];
