import { sql, type RawBuilder } from 'kysely';
import { keepScreens, viewOfCases, visible } from './baseline-walls.ts';

/**
 * Cases, who is assigned to them and who may see them. What belongs to a case is in the schema `base`; views with the
 * tables' names show each person only what they may see.
 */
export const cases: RawBuilder<unknown>[] = [
  sql`create schema base`,
  sql`
    create function base.actor() returns uuid language sql stable parallel safe as
      $$ select nullif(current_setting('matterdesk.actor', true), '')::uuid $$`,
  sql`
    create table base.cases (
      id uuid primary key default gen_random_uuid(),
      serial bigint generated always as identity,
      case_name text not null,
      case_no text not null,
      case_no_key text not null unique,
      status_type text not null check (status_type in ('Active', 'Archive')),
      status text not null check (status in ('Pre-List', 'Litigation', 'ADR')),
      type text not null check (type in ('Civil', 'PI', 'Med-Mal')),
      judge text not null,
      date_of_opening date not null,
      managing_attorney text not null,
      doi date not null,
      sol date not null,
      days_open int not null,
      days_open_since timestamptz not null default clock_timestamp(),
      archived_at timestamptz,
      client_name text not null,
      client_phone_number text not null,
      client_email text not null,
      client_address text not null,
      counsel_organization text not null,
      counsel_name text not null,
      counsel_phone_number text not null,
      counsel_email text not null,
      counsel_address text not null,
      search_text text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      access text not null default 'open' check (access in ('open', 'restricted')),
      is_walled boolean not null default false,
      access_updated_at timestamptz(3) not null default clock_timestamp(),
      -- The assigned users in their order, so that a calendar with thousands of dates looks none of them up.
      people uuid[] not null default '{}'
    )`,
  ...indexes(),
  sql`
    create table base.case_assignments (
      case_id uuid not null references base.cases (id),
      user_id uuid not null references users (id),
      position int not null,
      primary key (case_id, user_id)
    )`,
  sql`create index case_assignments_of_user on base.case_assignments (user_id)`,
  sql`
    create table base.case_access (
      case_id uuid not null references base.cases (id),
      user_id uuid not null references users (id),
      kind text not null check (kind in ('added', 'screened', 'opened', 'paused')),
      reason text not null default '',
      by_id uuid references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      until timestamptz(3),
      primary key (case_id, user_id, kind)
    )`,
  sql`create index case_access_of_user on base.case_access (user_id)`,
  sql`create index case_access_ending on base.case_access (until) where until is not null`,
  // An entry that is copied from the history of the case's intake keeps its time.
  sql`
    create table base.access_history (
      id bigint generated always as identity primary key,
      case_id uuid not null references base.cases (id),
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null check (action in ('opened', 'restricted', 'changed', 'glassOpened',
        'paused')),
      people uuid[] not null,
      reason text not null,
      copied_from bigint unique
    )`,
  sql`create index access_history_of_case on base.access_history (case_id, id desc)`,
  sql`
    create function base.stamp_access_entry() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        if new.copied_from is null then
          new.at := clock_timestamp();
        else
          select h.at, h.by_id, h.action, h.people, h.reason
            into strict new.at, new.by_id, new.action, new.people, new.reason
            from base.intake_access_history h join base.intakes i on i.id = h.intake_id
            where h.id = new.copied_from and i.case_id = new.case_id;
        end if;
        return new;
      end $$`,
  sql`
    create trigger access_history_is_stamped before insert on base.access_history
      for each row execute function base.stamp_access_entry()`,
  ...counts(),
  ...sight(),
  ...followAssignments(),
  ...people(),
  keepScreens('assignments', `a.user_id = new."user_id" and a.kind = 'screened'`),
  sql`
    create trigger case_assignments_keep_screens before insert on base.case_assignments
      for each row execute function base.keep_screens_of_assignments()`,
  sql`create view cases as select c.* from base.cases c where ${visible('c', 'id')}`,
  viewOfCases('case_assignments'),
  viewOfCases('case_access'),
  viewOfCases('access_history', 't.id, t.case_id, t.at, t.by_id, t.action, t.people, t.reason'),
  sql`
    create view visible_counts as
      select k.status_type, k.changes, k.cases - case
        when (select base.actor()) = '00000000-0000-0000-0000-000000000000' then 0
        else k.restricted - (
            select count(*) from base.case_sight s join base.cases c on c.id = s.case_id
            where s.user_id = (select base.actor()) and s.sees and c.status_type = k.status_type
              and (s.until is null or s.until > statement_timestamp())
          ) + (
            select count(*) from base.case_sight s join base.cases c on c.id = s.case_id
            where s.user_id = (select base.actor()) and not s.sees and c.status_type = k.status_type
          ) end as cases
      from (
        select status_type, sum(cases) as cases, sum(changes) as changes, sum(restricted) as restricted
        from case_counts group by status_type) k
      where (select base.actor()) is not null`,
  sql`
    create view own_sight as
      select case_id from base.case_sight where user_id = (select base.actor())`,
];

/** Lists of cases by each of their orders, and cases by what a mail or a text names. */
function indexes(): RawBuilder<unknown>[] {
  return [
    sql`create unique index cases_newest on base.cases (serial desc)`,
    sql`create index cases_newest_of_status on base.cases (status_type, serial desc)`,
    sql`create index cases_by_limitation on base.cases (sol, id) where status_type = 'Active'`,
    sql`create index cases_by_sol on base.cases (status_type, sol, serial)`,
    sql`
    create index cases_by_name on base.cases (status_type, (case_name collate "und-x-icu"), serial)`,
    // The days open of active cases grow alike, so that their order stays; those of archived ones stay as they are.
    sql`
    create index cases_by_days_active on base.cases
      ((days_open * 86400::numeric - extract(epoch from days_open_since at time zone 'UTC')), serial)
      where status_type = 'Active'`,
    sql`
    create index cases_by_days_archived on base.cases
      ((days_open * 86400::numeric + extract(epoch from archived_at - days_open_since)), serial)
      where status_type = 'Archive'`,
    sql`create index cases_by_opening on base.cases (date_of_opening) where status_type = 'Active'`,
    sql`create index cases_by_incident on base.cases (doi) where status_type = 'Active'`,
    sql`create index cases_walled on base.cases (serial desc) where is_walled`,
    sql`create index cases_open on base.cases (serial) where access = 'open'`,
    // The cost keeps the planner from computing it for each row instead of using the index.
    sql`
    create function bigrams(t text) returns tsvector
      language sql immutable strict parallel safe cost 10000 as $$
        select array_to_tsvector(array(
          select a || coalesce(b, E'\\n')
          from unnest(string_to_array(t, null), string_to_array(substr(t, 2), null)) as pair (a, b)
        )) $$`,
    // Trigrams find any substring of three letters or digits; pairs of characters find shorter ones. Both indexes collect
    // new rows in a short pending list, so that a write touches a few pages instead of hundreds.
    sql`create index cases_search on base.cases using gin (search_text gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 256)`,
    sql`create index cases_search_short on base.cases using gin (bigrams(search_text)) with (fastupdate = on, gin_pending_list_limit = 256)`,
    // Cases are suggested for a mail by the addresses in it, and name conversations by their numbers.
    ...['client_email', 'counsel_email', 'client_name', 'counsel_name'].map(
      (column) =>
        sql`create index ${sql.id(`cases_by_${column}`)} on base.cases (lower(${sql.ref(column)}))`,
    ),
    sql`
    create function phone_digits(written text) returns text
    language sql immutable strict parallel safe as $$
      select case
        when bare ~ '^\\+' then digits
        when digits ~ '^00' then substr(digits, 3)
        when digits ~ '^011' then substr(digits, 4)
        when length(digits) = 10 then '1' || digits
        else digits end
      from (select bare, regexp_replace(bare, '[^0-9]', '', 'g') as digits
        from (select regexp_replace(
          replace(trim(written), '(0)', ''), '[[:space:],;]*(x|ext|#).*$', '', 'i') as bare) b) d
    $$`,
    // The newest active case of each number comes first.
    ...['client', 'counsel'].map(
      (side) => sql`create index ${sql.id(`cases_by_${side}_phone`)} on base.cases
      (phone_digits(${sql.id(`${side}_phone_number`)}), status_type, serial desc)`,
    ),
  ];
}

/** People let into a restricted case or kept out of an open one: derived, so that reads look at one row. */
function sight(): RawBuilder<unknown>[] {
  return [
    sql`
    create table base.case_sight (
      user_id uuid not null references users (id),
      case_id uuid not null references base.cases (id),
      sees boolean not null,
      until timestamptz(3),
      primary key (user_id, case_id)
    )`,
    sql`create index case_sight_of_case on base.case_sight (case_id)`,
    sql`
    create function base.work_out_sight(ids uuid[]) returns void language sql as $$
      delete from base.case_sight where case_id = any(ids);
      insert into base.case_sight (user_id, case_id, sees, until)
      select a.user_id, a.case_id, false, null
        from base.case_access a join base.cases c on c.id = a.case_id
        where a.case_id = any(ids) and a.kind = 'screened' and c.access = 'open'
      union all
      select i.user_id, i.case_id, true,
          case when bool_or(i.until is null) then null else max(i.until) end
        from (
          select n.user_id, n.case_id, null::timestamptz as until
            from (
              select user_id, case_id from base.case_assignments where case_id = any(ids)
              union all
              select user_id, case_id from base.case_access
                where case_id = any(ids) and kind = 'added'
            ) n where not exists (
              select from base.case_access p
              where p.case_id = n.case_id and p.user_id = n.user_id and p.kind = 'paused')
          union all
          select user_id, case_id, until from base.case_access
            where case_id = any(ids) and kind = 'opened'
        ) i join base.cases c on c.id = i.case_id
        where c.is_walled and c.access = 'restricted' and not exists (
          select from base.case_access s
          where s.case_id = i.case_id and s.user_id = i.user_id and s.kind = 'screened')
        group by i.user_id, i.case_id;
      -- Remembered totals of searches end.
      insert into case_counts (status_type, cases, changes) values ('Active', 0, 1), ('Archive', 0, 1)
    $$`,
  ];
}

/** Access to a walled case follows its assignments, which are inserted and deleted, never updated. */
function followAssignments(): RawBuilder<unknown>[] {
  return [
    sql`
    create function base.keep_sight() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        if tg_op = 'INSERT' then
          select array_agg(distinct r.case_id) into ids from new_rows r
            join base.cases c on c.id = r.case_id and c.is_walled;
        else
          select array_agg(distinct r.case_id) into ids from old_rows r
            join base.cases c on c.id = r.case_id and c.is_walled;
        end if;
        if ids is not null then perform base.work_out_sight(ids); end if;
        return null;
      end $$`,
    sql`
    create trigger case_assignments_added after insert on base.case_assignments
      referencing new table as new_rows for each statement execute function base.keep_sight()`,
    sql`
    create trigger case_assignments_removed after delete on base.case_assignments
      referencing old table as old_rows for each statement execute function base.keep_sight()`,
  ];
}

/** A new case brings its people along, and is then left as it is. */
function people(): RawBuilder<unknown>[] {
  return [
    sql`
    create function base.people_of_case(uuid) returns uuid[] language plpgsql stable as $$ begin
      return array(select user_id from base.case_assignments where case_id = $1 order by position);
    end $$`,
    sql`
    create function base.keep_people() returns trigger language plpgsql as $$ begin
      update base.cases c set people = base.people_of_case(c.id)
        where c.id in (select case_id from changed) and c.people <> base.people_of_case(c.id);
      return null;
    end $$`,
    sql`
    create trigger case_people_added after insert on base.case_assignments
      referencing new table as changed for each statement execute function base.keep_people()`,
    sql`
    create trigger case_people_removed after delete on base.case_assignments
      referencing old table as changed for each statement execute function base.keep_people()`,
  ];
}

/**
 * Case counts, kept by the transaction that changes them. Each statement adds a row, so that transactions never wait
 * for each other; the sum is the count. Now and then a statement replaces the rows that it sees with their sum.
 */
function counts(): RawBuilder<unknown>[] {
  return [
    sql`
    create table case_counts (
      status_type text not null,
      cases int not null,
      -- Grows with each change of a status type or a searched text.
      changes bigint not null,
      -- Restricted cases among them.
      restricted int not null default 0
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
    sql`
    create function fold_case_counts() returns void language plpgsql as $$ begin
      if random() > 0.02 then return; end if;
      with folded as (
        delete from case_counts
        where ctid = any (array(select ctid from case_counts for update skip locked))
        returning *)
      insert into case_counts (status_type, cases, changes, restricted)
        select status_type, sum(cases), sum(changes), sum(restricted) from folded group by status_type;
    end $$`,
    sql`
    create function count_added_cases() returns trigger language plpgsql as $$ begin
      insert into case_counts
        select status_type, count(*), count(*) from added group by status_type;
      perform fold_case_counts();
      return null;
    end $$`,
    sql`
    create function count_removed_cases() returns trigger language plpgsql as $$ begin
      insert into case_counts (status_type, cases, changes, restricted)
        select status_type, -count(*), count(*), -count(*) filter (where access = 'restricted')
        from removed group by status_type;
      return null;
    end $$`,
    sql`
    create function count_changed_case() returns trigger language plpgsql as $$ begin
      insert into case_counts (status_type, cases, changes, restricted) values
        (old.status_type, -1, 1, -(old.access = 'restricted')::int),
        (new.status_type, 1, 1, (new.access = 'restricted')::int);
      perform fold_case_counts();
      return null;
    end $$`,
    sql`
    create trigger cases_count_added after insert on base.cases referencing new table as added
      for each statement execute function count_added_cases()`,
    sql`
    create trigger cases_count_removed after delete on base.cases referencing old table as removed
      for each statement execute function count_removed_cases()`,
    sql`
    create trigger cases_count_changed after update of status_type, search_text, access on base.cases
      for each row when (old.status_type <> new.status_type or old.search_text <> new.search_text
        or old.access <> new.access)
      execute function count_changed_case()`,
  ];
}
