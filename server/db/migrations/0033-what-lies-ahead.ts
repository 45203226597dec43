import { sql, type Kysely, type RawBuilder } from 'kysely';

/**
 * When the last of what belongs to a case ends, kept by the transaction that changes it, so that cases with nothing
 * ahead are a range of an index. Rows of existing cases are added beside the running server, by `fill_case_ahead`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db);
  await createFunctions(db);
  await followCases(db);
  await followBelongings(db);
}

/** A table of its own: each change of a case would write its search text into its indexes again. */
async function createTable(db: Kysely<unknown>) {
  await sql`
    create table base.case_ahead (
      case_id uuid primary key references base.cases (id) on delete cascade,
      -- Copies of the case's, so that the index alone answers.
      serial bigint not null,
      is_active boolean not null,
      is_walled boolean not null,
      access text not null,
      latest_at timestamptz(3) not null default '-infinity'
    ) with (fillfactor = 80)`.execute(db);
  await sql`
    create index case_ahead_idle on base.case_ahead (latest_at, serial) include (case_id, is_walled, access)
      where is_active`.execute(db);
  // As the view of cases, without a look at them.
  await sql`
    create view case_ahead as select c.* from base.case_ahead c
      where (select base.actor()) is not null and (
        not c.is_walled
        or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or (c.access = 'restricted' and exists (
          select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = c.case_id
            and s.sees and (s.until is null or s.until > statement_timestamp())))
        or (c.access = 'open' and not exists (
          select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = c.case_id
            and not s.sees)))`.execute(db);
}

async function createFunctions(db: Kysely<unknown>) {
  // A deadline that is closed and a task that is done count until then. Days of events end as UTC's do, wherever the database is.
  await sql`
    create function base.latest_of_case(uuid) returns timestamptz language sql stable as $$
      select coalesce(greatest(
        (select max(least(t.end_time, t.done_at)) from base.tasks t
          where t.case_id = $1 and t.deleted_at is null),
        (select max(coalesce(e.ends_at, (e.last_day + 1)::timestamp at time zone 'UTC'))
          from base.events e where e.case_id = $1 and e.cancelled_at is null),
        (select max(case d.status when 'open' then d.due_at else least(d.due_at, d.updated_at) end)
          from base.deadlines d where d.case_id = $1 and d.kind <> 'limitation')), '-infinity')
    $$`.execute(db);
  // Under the row's lock another statement sees what others have committed: the last of two writers counts both.
  await sql`
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
    end $$`.execute(db);
  await sql`
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
    $$`.execute(db);
}

async function followCases(db: Kysely<unknown>) {
  await sql`
    create function base.add_case_ahead() returns trigger language plpgsql as $$ begin
      insert into base.case_ahead (case_id, serial, is_active, is_walled, access)
        select id, serial, status_type = 'Active', is_walled, access from added on conflict do nothing;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger cases_ahead_added after insert on base.cases referencing new table as added
      for each statement execute function base.add_case_ahead()`.execute(db);
  await sql`
    create function base.follow_case_ahead() returns trigger language plpgsql as $$ begin
      insert into base.case_ahead (case_id, serial, is_active, is_walled, access)
        values (new.id, new.serial, new.status_type = 'Active', new.is_walled, new.access)
        on conflict (case_id) do update
          set is_active = excluded.is_active, is_walled = excluded.is_walled, access = excluded.access;
      perform base.follow_ahead(array[new.id]);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger cases_ahead_changed after update of status_type, is_walled, access on base.cases
      for each row when (old.status_type <> new.status_type or old.is_walled <> new.is_walled
        or old.access <> new.access)
      execute function base.follow_case_ahead()`.execute(db);
}

/** Which rows of a table count. */
const counted = [
  ['tasks', 'true'],
  ['events', 'case_id is not null'],
  ['deadlines', "case_id is not null and kind <> 'limitation'"],
] as const;

/** Follows added rows, one time a statement. */
async function followAdded(db: Kysely<unknown>, table: string, counts: RawBuilder<unknown>) {
  const follow = sql.id('base', `follow_added_${table}`);
  await sql`
    create function ${follow}() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        select array_agg(distinct case_id) into ids from new_rows where ${counts};
        if ids is not null then perform base.follow_ahead(ids); end if;
        return null;
      end $$`.execute(db);
  await sql`
    create trigger ${sql.id(`${table}_ahead_added`)} after insert on base.${sql.id(table)}
      referencing new table as new_rows for each statement execute function ${follow}()`.execute(
    db,
  );
}

async function followChanged(db: Kysely<unknown>, table: string, counts: RawBuilder<unknown>) {
  const follow = sql.id('base', `follow_changed_${table}`);
  await sql`
    create function ${follow}() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        select array_agg(distinct case_id) into ids from (
          select case_id from old_rows where ${counts}
          union select case_id from new_rows where ${counts}) rows;
        if ids is not null then perform base.follow_ahead(ids); end if;
        return null;
      end $$`.execute(db);
  await sql`
    create trigger ${sql.id(`${table}_ahead_changed`)} after update on base.${sql.id(table)}
      referencing old table as old_rows new table as new_rows
      for each statement execute function ${follow}()`.execute(db);
}

async function followBelongings(db: Kysely<unknown>) {
  for (const [table, counts] of counted) await followAdded(db, table, sql.raw(counts));
  for (const [table, counts] of counted.slice(1)) await followChanged(db, table, sql.raw(counts));
  // A move on the board, the most frequent write, changes none of these columns.
  await sql`
    create function base.follow_task_ahead() returns trigger language plpgsql as $$ begin
      perform base.follow_ahead(array[old.case_id, new.case_id]);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger tasks_ahead_changed after update of end_time, done_at, deleted_at, case_id on base.tasks
      for each row when (old.end_time <> new.end_time or old.case_id <> new.case_id
        or old.done_at is distinct from new.done_at
        or old.deleted_at is distinct from new.deleted_at)
      execute function base.follow_task_ahead()`.execute(db);
}
