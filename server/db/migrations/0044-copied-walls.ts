import { sql, type Kysely } from 'kysely';

/**
 * The walls of a case are copied to its tasks, deadlines and events, and its state to its tasks, so that a calendar of
 * thousands of rows looks up no case. Triggers keep the copies in the transaction that changes either.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of copying)
    await sql`
      alter table base.${sql.id(table)}
        add column is_walled boolean not null default false,
        add column access text not null default 'open'`.execute(db);
  // Written without it, and only of active cases, as the calendar asks for them.
  await sql`drop index base.tasks_at`.execute(db);
  await fillIn(db);
  await copyWhenAdded(db);
  await followCases(db);
  await filterByCopies(db);
  await sql`create index tasks_at on base.tasks using gist (tstzrange(start_time, end_time, '[]'))
    where is_active and deleted_at is null and end_time >= start_time`.execute(db);
  await sql`create index tasks_started on base.tasks (start_time, id)
    where is_active and deleted_at is null and end_time >= start_time`.execute(db);
}

const copying = ['tasks', 'deadlines', 'events'] as const;

/** Most cases of a firm are archived: their tasks are written again as a table, which is faster than row by row. */
async function fillIn(db: Kysely<unknown>) {
  await sql`
    create function base.is_active_case(uuid) returns boolean language plpgsql stable as $$ begin
      return (select c.status_type = 'Active' from base.cases c where c.id = $1);
    end $$`.execute(db);
  await sql`alter table base.tasks add column is_active boolean`.execute(db);
  await sql`
    alter table base.tasks alter column is_active type boolean using base.is_active_case(case_id)`.execute(
    db,
  );
  await sql`alter table base.tasks alter column is_active set not null`.execute(db);
  await sql`drop function base.is_active_case(uuid)`.execute(db);
  for (const table of copying)
    await sql`
      update base.${sql.id(table)} t set is_walled = c.is_walled, access = c.access
      from base.cases c where c.id = t.case_id and c.is_walled`.execute(db);
}

/** The case is locked, so that a change of it either is copied here or finds the new row. */
async function copyWhenAdded(db: Kysely<unknown>) {
  await sql`
    create function base.copy_walls() returns trigger language plpgsql as $$ begin
      select c.is_walled, c.access into new.is_walled, new.access
        from base.cases c where c.id = new.case_id for share;
      if not found then new.is_walled := false; new.access := 'open'; end if;
      return new;
    end $$`.execute(db);
  await sql`
    create function base.copy_case() returns trigger language plpgsql as $$ begin
      select c.is_walled, c.access, c.status_type = 'Active'
        into new.is_walled, new.access, new.is_active
        from base.cases c where c.id = new.case_id for share;
      -- Its reference refuses the row later.
      if not found then new.is_walled := true; new.access := 'restricted'; new.is_active := false; end if;
      return new;
    end $$`.execute(db);
  for (const table of copying)
    await sql`
      create trigger ${sql.id(`${table}_copy_case`)} before insert or update of case_id on base.${sql.id(table)}
        for each row execute function base.${sql.id(table === 'tasks' ? 'copy_case' : 'copy_walls')}()`.execute(
      db,
    );
}

/** Rows are locked before what lies ahead of the case, as their own writers do: hence the trigger's name. */
async function followCases(db: Kysely<unknown>) {
  await sql`
    create function base.spread_case() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        -- An index has those on the board, another the deleted ones, whose names the audit log shows.
        select array_agg(id) into ids from (
          select id from base.tasks where case_id = new.id and deleted_at is null
          union all select id from base.tasks where case_id = new.id and deleted_at is not null) t;
        update base.tasks
          set is_walled = new.is_walled, access = new.access, is_active = new.status_type = 'Active'
          where id = any(ids);
        if old.is_walled <> new.is_walled or old.access <> new.access then
          perform from base.events where case_id = new.id for no key update;
          update base.deadlines set is_walled = new.is_walled, access = new.access where case_id = new.id;
          update base.events set is_walled = new.is_walled, access = new.access where case_id = new.id;
        end if;
        return null;
      end $$`.execute(db);
  await sql`
    create trigger cases_access_copied after update of status_type, is_walled, access on base.cases
      for each row when (old.status_type <> new.status_type or old.is_walled <> new.is_walled
        or old.access <> new.access)
      execute function base.spread_case()`.execute(db);
}

/** The views as they were, without a look at the case; that of tasks says also whether it is active. */
async function filterByCopies(db: Kysely<unknown>) {
  const visible = sql`(select base.actor()) is not null and (
    not t.is_walled
    or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
    or (t.access = 'restricted' and exists (
      select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = t.case_id
        and s.sees and (s.until is null or s.until > statement_timestamp())))
    or (t.access = 'open' and not exists (
      select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = t.case_id
        and not s.sees)))`;
  for (const table of copying) {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 order by attnum`.execute(db);
    const names = [...rows.map(({ name }) => name), ...(table === 'tasks' ? ['is_active'] : [])];
    const columns = sql.join(names.map((name) => sql.ref(`t.${name}`)));
    await sql`
      create or replace view ${sql.id(table)} as select ${columns} from base.${sql.id(table)} t
        where ${visible} with local check option`.execute(db);
  }
}
