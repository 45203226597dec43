import { sql, type RawBuilder } from 'kysely';
import { keepScreens, visible } from './baseline-walls.ts';

/** Deadlines with their history, proposals to move them, and their warnings. */
export const deadlines: RawBuilder<unknown>[] = [
  sql`
    create table base.deadlines (
      id uuid primary key default gen_random_uuid(),
      -- Null for a deadline of the firm.
      case_id uuid references base.cases (id) on delete cascade,
      title text not null,
      kind text not null
        check (kind in ('limitation', 'filing', 'response', 'discovery', 'appeal', 'other')),
      hard boolean not null,
      date date not null,
      -- HH:MM; null for the end of the day.
      time text,
      time_zone text not null,
      working_date date,
      owner_id uuid references users (id),
      second_id uuid references users (id),
      author_id uuid references users (id),
      -- Entered the present date, and so does not verify it.
      dated_by uuid references users (id),
      status text not null default 'open' check (status in ('open', 'done', 'vacated')),
      verified_by uuid references users (id),
      verified_at timestamptz(3),
      acknowledged_by uuid references users (id),
      acknowledged_at timestamptz(3),
      -- The change that waits for a decision.
      pending jsonb,
      -- An earlier date that rules until the present one is verified.
      floor_date date,
      -- The date that rules, and its instant: derived by the application, because zones differ between databases.
      effective_date date not null,
      due_at timestamptz(3) not null,
      basis jsonb,
      source jsonb,
      note text not null default '',
      warn_days int[] not null,
      imported boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      -- The trigger that it counts from.
      trigger_event_id uuid references base.events (id) on delete set null,
      trigger_deadline_id uuid references base.deadlines (id) on delete set null,
      -- The step of the rule, and its jurisdiction.
      counting jsonb,
      -- Copies of the case's.
      is_walled boolean not null default false,
      access text not null default 'open',
      check (kind <> 'limitation' or (hard and case_id is not null)),
      check (owner_id <> second_id)
    )`,
  sql`
    create unique index deadlines_limitation on base.deadlines (case_id) where kind = 'limitation'`,
  sql`create index deadlines_of_case on base.deadlines (case_id)`,
  sql`create index deadlines_listed on base.deadlines (effective_date, id)`,
  sql`create index deadlines_due on base.deadlines (due_at) where status = 'open'`,
  sql`
    create index deadlines_of_event on base.deadlines (trigger_event_id)
      where trigger_event_id is not null`,
  sql`
    create index deadlines_of_deadline on base.deadlines (trigger_deadline_id)
      where trigger_deadline_id is not null`,
  sql`
    create index deadlines_of_jurisdiction on base.deadlines ((counting->>'jurisdiction'))
      where counting is not null and status = 'open'`,
  // Finds what waits for a person without reading what waits for no one. Imported dates are silent until verified.
  sql`create index deadlines_of_owner on base.deadlines (owner_id, due_at) where status = 'open' and (not imported or verified_at is not null)`,
  sql`create index deadlines_of_second on base.deadlines (second_id, due_at)
    where status = 'open' and (not imported or verified_at is not null) and hard`,
  sql`create index deadlines_overdue on base.deadlines (due_at) where status = 'open' and (not imported or verified_at is not null)`,
  sql`create index deadlines_pending on base.deadlines (id) where pending is not null`,
  sql`
    create view deadlines as
      select
        t.id, t.case_id, t.title, t.kind, t.hard, t.date, t.time, t.time_zone, t.working_date,
        t.owner_id, t.second_id, t.author_id, t.dated_by, t.status, t.verified_by, t.verified_at,
        t.acknowledged_by, t.acknowledged_at, t.pending, t.floor_date, t.effective_date, t.due_at,
        t.basis, t.source, t.note, t.warn_days, t.imported, t.created_at, t.updated_at,
        t.trigger_event_id, t.trigger_deadline_id, t.counting
      from base.deadlines t where ${visible('t', 'case_id')} with local check option`,
  keepScreens(
    'deadlines',
    `a.user_id in (new.owner_id, new.second_id)
            and a.kind = 'screened' limit 1`,
  ),
  sql`
    create trigger deadlines_keep_screens
      before insert or update of owner_id, second_id on base.deadlines
      for each row execute function base.keep_screens_of_deadlines()`,
  sql`
      create trigger deadlines_copy_case before insert or update of case_id on base.deadlines
        for each row execute function base.copy_walls()`,
  ...history(),
  ...proposals(),
  ...warnings(),
];

/** Append-only, each entry hashed with the one before of the same deadline. */
function history(): RawBuilder<unknown>[] {
  return [
    sql`
    create table base.deadline_history (
      id bigint generated always as identity primary key,
      deadline_id uuid not null references base.deadlines (id),
      case_id uuid,
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null,
      from_state jsonb,
      to_state jsonb,
      reason text not null default '',
      hash bytea not null default ''
    )`,
    sql`
    create index deadline_history_of_deadline on base.deadline_history (deadline_id, id desc)`,
    sql`
    create function base.hash_of_deadline_entry(e base.deadline_history, before bytea)
      returns bytea language sql stable as $$
      select sha256(before || convert_to(jsonb_build_array(e.deadline_id, e.case_id,
        (extract(epoch from e.at) * 1000)::bigint, e.by_id, e.action, e.from_state, e.to_state,
        e.reason)::text, 'UTF8'))
    $$`,
    // Writers hold the deadline's lock, so that its entries follow each other.
    sql`
    create function base.chain_deadline_history() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        new.at := clock_timestamp();
        new.hash := base.hash_of_deadline_entry(new, coalesce(
          (select h.hash from base.deadline_history h where h.deadline_id = new.deadline_id
            order by h.id desc limit 1), ''));
        return new;
      end $$`,
    sql`
    create trigger deadline_history_is_chained before insert on base.deadline_history
      for each row execute function base.chain_deadline_history()`,
    // Deeper than the trigger itself is the removal of a case with all that belongs to it, which the product never does.
    sql`
    create function base.keep_deadlines() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return null; end if;
        raise exception '% is append-only', tg_table_name;
      end $$`,
    sql`
    create trigger deadlines_stay before delete or truncate on base.deadlines
      for each statement execute function base.keep_deadlines()`,
    sql`
    create view deadline_history as select t.* from base.deadline_history t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
      with local check option`,
  ];
}

/** Proposals to move what counts from a date that moved. */
function proposals(): RawBuilder<unknown>[] {
  return [
    sql`
    create table base.deadline_proposals (
      id uuid primary key,
      trigger_type text not null check (trigger_type in ('event', 'deadline', 'jurisdiction')),
      trigger_id uuid not null,
      trigger_title text not null,
      by_id uuid references users (id),
      at timestamptz(3) not null default clock_timestamp()
    )`,
    sql`
    create table base.deadline_proposal_items (
      proposal_id uuid not null references base.deadline_proposals (id) on delete cascade,
      deadline_id uuid not null references base.deadlines (id) on delete cascade,
      case_id uuid,
      from_date date not null,
      -- Null when the trigger was canceled.
      to_date date,
      trigger_date date,
      lines jsonb not null,
      status text not null default 'open'
        check (status in ('open', 'accepted', 'kept', 'replaced')),
      decided_by uuid references users (id),
      decided_at timestamptz(3),
      reason text not null default '',
      primary key (proposal_id, deadline_id)
    )`,
    sql`
    create unique index deadline_proposal_items_open on base.deadline_proposal_items (deadline_id)
      where status = 'open'`,
    sql`
    create view deadline_proposal_items as select t.* from base.deadline_proposal_items t
      where (select base.actor()) is not null
        and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
      with local check option`,
    // A proposal is seen through its items, which are written after it.
    sql`
    create view deadline_proposals as select t.* from base.deadline_proposals t
      where exists (select from deadline_proposal_items i where i.proposal_id = t.id)`,
  ];
}

/** Progress of a deadline's warnings, reviewed whenever any code changes the deadline. */
function warnings(): RawBuilder<unknown>[] {
  return [
    sql`
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
    )`,
    sql`
    create index deadline_warnings_due on base.deadline_warnings (look_at) where look_at is not null`,
    sql`
    create function base.look_at_warnings() returns trigger language plpgsql as $$
      begin
        insert into base.deadline_warnings (deadline_id) values (new.id)
          on conflict (deadline_id) do update set look_at = clock_timestamp();
        return null;
      end $$`,
    sql`
    create trigger deadlines_start_warnings after insert on base.deadlines
      for each row execute function base.look_at_warnings()`,
    sql`
    create trigger deadlines_keep_warnings after update on base.deadlines
      for each row when (
        (old.effective_date, old.due_at, old.status, old.warn_days, old.owner_id, old.second_id,
          old.acknowledged_at, old.verified_at, old.imported, old.hard)
        is distinct from
        (new.effective_date, new.due_at, new.status, new.warn_days, new.owner_id, new.second_id,
          new.acknowledged_at, new.verified_at, new.imported, new.hard))
      execute function base.look_at_warnings()`,
    sql`
    create view deadline_warnings as select t.* from base.deadline_warnings t
      where exists (select from deadlines d where d.id = t.deadline_id)
      with local check option`,
  ];
}
