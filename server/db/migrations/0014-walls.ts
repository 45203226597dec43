import { sql, type Kysely } from 'kysely';

/**
 * Walls around matters. What belongs to a matter moves to the schema `base`; views with the old names show each person
 * only what they may see. The person is `matterdesk.actor` of the transaction; without one the views are empty, and the
 * nil UUID is the server itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema base`.execute(db);
  for (const table of ['cases', ...belongings])
    await sql`alter table ${sql.id(table)} set schema base`.execute(db);
  await addWalls(db);
  await createSight(db);
  await keepScreens(db);
  await createViews(db);
  await countWhatIsSeen(db);
}

/** Tables whose rows belong to the case in `case_id`. */
const belongings = ['case_assignments', 'tasks', 'folders', 'files'];

async function addWalls(db: Kysely<unknown>) {
  await sql`
    alter table base.cases
      add column access text not null default 'open' check (access in ('open', 'restricted')),
      add column is_walled boolean not null default false,
      add column access_updated_at timestamptz(3) not null default clock_timestamp()`.execute(db);
  await sql`
    create table base.case_access (
      case_id uuid not null references base.cases (id),
      user_id uuid not null references users (id),
      kind text not null check (kind in ('added', 'screened', 'opened')),
      reason text not null default '',
      by_id uuid references users (id),
      at timestamptz(3) not null default clock_timestamp(),
      until timestamptz(3),
      primary key (case_id, user_id, kind)
    )`.execute(db);
  await sql`create index case_access_ending on base.case_access (until) where until is not null`.execute(
    db,
  );
  await sql`create index cases_walled on base.cases (serial desc) where is_walled`.execute(db);
  await sql`
    create table base.access_history (
      id bigint generated always as identity primary key,
      case_id uuid not null references base.cases (id),
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null check (action in ('opened', 'restricted', 'changed', 'glassOpened')),
      people uuid[] not null,
      reason text not null
    )`.execute(db);
  await sql`create index access_history_of_case on base.access_history (case_id, id desc)`.execute(
    db,
  );
}

/** Who is let into a restricted case, and who is kept out of an open one: derived, so that reads look at one row. */
async function createSight(db: Kysely<unknown>) {
  await sql`
    create table base.case_sight (
      user_id uuid not null references users (id),
      case_id uuid not null references base.cases (id),
      sees boolean not null,
      until timestamptz(3),
      primary key (user_id, case_id)
    )`.execute(db);
  await sql`create index case_sight_of_case on base.case_sight (case_id)`.execute(db);
  await sql`
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
          select user_id, case_id, null::timestamptz as until from base.case_assignments
            where case_id = any(ids)
          union all
          select user_id, case_id, until from base.case_access
            where case_id = any(ids) and kind in ('added', 'opened')
        ) i join base.cases c on c.id = i.case_id
        where c.is_walled and c.access = 'restricted' and not exists (
          select from base.case_access s
          where s.case_id = i.case_id and s.user_id = i.user_id and s.kind = 'screened')
        group by i.user_id, i.case_id;
      -- Remembered totals of searches end.
      insert into case_counts (status_type, cases, changes) values ('Active', 0, 1), ('Archive', 0, 1)
    $$`.execute(db);
  await sql`
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
      end $$`.execute(db);
  // Assignments are inserted and deleted, never updated.
  await sql`
    create trigger case_assignments_added after insert on base.case_assignments
      referencing new table as new_rows for each statement execute function base.keep_sight()`.execute(
    db,
  );
  await sql`
    create trigger case_assignments_removed after delete on base.case_assignments
      referencing old table as old_rows for each statement execute function base.keep_sight()`.execute(
    db,
  );
}

/** A user who is screened from a matter gets no work on it, whichever code forgets to check. */
async function keepScreens(db: Kysely<unknown>) {
  const functionOf = (name: string, column: string) => sql`
    create function ${sql.id('base', name)}() returns trigger language plpgsql as $$
      declare who text;
      begin
        select u.first_name || ' ' || u.last_name into who
          from base.case_access a join users u on u.id = a.user_id
          where a.case_id = new.case_id and a.user_id = new.${sql.id(column)} and a.kind = 'screened';
        if who is not null then
          raise exception using errcode = 'MDSCR', message = who || ' is screened from this matter';
        end if;
        return new;
      end $$`;
  await functionOf('keep_screens_of_tasks', 'assigned_to').execute(db);
  await functionOf('keep_screens_of_assignments', 'user_id').execute(db);
  await sql`
    create trigger tasks_keep_screens before insert or update of assigned_to, case_id on base.tasks
      for each row execute function base.keep_screens_of_tasks()`.execute(db);
  await sql`
    create trigger case_assignments_keep_screens before insert on base.case_assignments
      for each row execute function base.keep_screens_of_assignments()`.execute(db);
}

async function createViews(db: Kysely<unknown>) {
  await sql`
    create function base.actor() returns uuid language sql stable parallel safe as
      $$ select nullif(current_setting('matterdesk.actor', true), '')::uuid $$`.execute(db);
  // Scalar sub-selects are evaluated once per statement; row level security would lose the search index.
  const visible = sql`(select base.actor()) is not null and (
    not c.is_walled
    or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
    or (c.access = 'restricted' and exists (
      select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = c.id
        and s.sees and (s.until is null or s.until > statement_timestamp())))
    or (c.access = 'open' and not exists (
      select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = c.id
        and not s.sees)))`;
  await sql`create view cases as select c.* from base.cases c where ${visible}`.execute(db);
  for (const table of [...belongings, 'case_access', 'access_history'])
    await sql`
      create view ${sql.id(table)} as select t.* from base.${sql.id(table)} t
        where exists (select from base.cases c where c.id = t.case_id and ${visible})
        with local check option`.execute(db);
}

/** The kept counts of each user: all cases, without the restricted ones that they do not see. */
async function countWhatIsSeen(db: Kysely<unknown>) {
  await sql`alter table case_counts add column restricted int not null default 0`.execute(db);
  await sql`
    create or replace function fold_case_counts() returns void language plpgsql as $$ begin
      if random() > 0.02 then return; end if;
      with folded as (
        delete from case_counts
        where ctid = any (array(select ctid from case_counts for update skip locked))
        returning *)
      insert into case_counts (status_type, cases, changes, restricted)
        select status_type, sum(cases), sum(changes), sum(restricted) from folded group by status_type;
    end $$`.execute(db);
  await sql`
    create or replace function count_removed_cases() returns trigger language plpgsql as $$ begin
      insert into case_counts (status_type, cases, changes, restricted)
        select status_type, -count(*), count(*), -count(*) filter (where access = 'restricted')
        from removed group by status_type;
      return null;
    end $$`.execute(db);
  await sql`
    create or replace function count_changed_case() returns trigger language plpgsql as $$ begin
      insert into case_counts (status_type, cases, changes, restricted) values
        (old.status_type, -1, 1, -(old.access = 'restricted')::int),
        (new.status_type, 1, 1, (new.access = 'restricted')::int);
      perform fold_case_counts();
      return null;
    end $$`.execute(db);
  await sql`drop trigger cases_count_changed on base.cases`.execute(db);
  await sql`
    create trigger cases_count_changed after update of status_type, search_text, access on base.cases
      for each row when (old.status_type <> new.status_type or old.search_text <> new.search_text
        or old.access <> new.access)
      execute function count_changed_case()`.execute(db);
  await sql`
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
      where (select base.actor()) is not null`.execute(db);
  await sql`
    create view own_sight as
      select case_id from base.case_sight where user_id = (select base.actor())`.execute(db);
}
