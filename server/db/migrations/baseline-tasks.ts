import { sql, type RawBuilder } from 'kysely';
import { keepScreens, visible } from './baseline-walls.ts';

/**
 * The tasks of cases. The walls and the state of a case are copied to its tasks, so that a calendar of thousands of rows
 * looks up no case (decision 40).
 */
export const tasks: RawBuilder<unknown>[] = [
  sql`
    create table base.tasks (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references base.cases (id),
      name text not null,
      description text not null,
      start_time timestamptz(3) not null,
      end_time timestamptz(3) not null,
      type text not null
        check (type in ('intake', 'demandOfInsurance', 'finalLawsuit', 'discovery', 'adr')),
      in_column_since timestamptz(3) not null default clock_timestamp(),
      assigned_to uuid not null references users (id),
      created_by uuid not null references users (id),
      deleted_at timestamptz,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      done_at timestamptz(3),
      is_walled boolean not null default false,
      access text not null default 'open',
      is_active boolean not null
    )`,
  sql`create index tasks_of_board on base.tasks (case_id, in_column_since, id)
    where deleted_at is null`,
  sql`create index tasks_of_person on base.tasks (assigned_to, end_time, id)
    where deleted_at is null`,
  sql`create index tasks_deleted on base.tasks (deleted_at) where deleted_at is not null`,
  // Open tasks of active cases are listed and counted by their end; those of archived ones, the most, are passed by.
  sql`create index tasks_open on base.tasks (end_time, id) include (case_id, is_walled, access)
    where is_active and deleted_at is null and done_at is null`,
  sql`create index tasks_done on base.tasks (end_time, id)
    where deleted_at is null and done_at is not null`,
  // Closed ranges: an empty one would overlap nothing.
  sql`create index tasks_at on base.tasks using gist (tstzrange(start_time, end_time, '[]'))
    where is_active and deleted_at is null and end_time >= start_time`,
  sql`create index tasks_started on base.tasks (start_time, id)
    where is_active and deleted_at is null and end_time >= start_time`,
  sql`
    create view tasks as
      select t.id, t.case_id, t.name, t.description, t.start_time, t.end_time, t.type, t.in_column_since,
        t.assigned_to, t.created_by, t.deleted_at, t.created_at, t.updated_at, t.done_at, t.is_active
      from base.tasks t where ${visible('t', 'case_id')} with local check option`,
  keepScreens('tasks', `a.user_id = new."assigned_to" and a.kind = 'screened'`),
  sql`
    create trigger tasks_keep_screens before insert or update of assigned_to, case_id on base.tasks
      for each row execute function base.keep_screens_of_tasks()`,
  // The case is locked, so that a change of it either is copied here or finds the new row.
  sql`
    create function base.copy_case() returns trigger language plpgsql as $$ begin
      select c.is_walled, c.access, c.status_type = 'Active'
        into new.is_walled, new.access, new.is_active
        from base.cases c where c.id = new.case_id for share;
      -- Its reference refuses the row later.
      if not found then new.is_walled := true; new.access := 'restricted'; new.is_active := false; end if;
      return new;
    end $$`,
  sql`
      create trigger tasks_copy_case before insert or update of case_id on base.tasks
        for each row execute function base.copy_case()`,
  sql`
    create function base.copy_walls() returns trigger language plpgsql as $$ begin
      select c.is_walled, c.access into new.is_walled, new.access
        from base.cases c where c.id = new.case_id for share;
      if not found then new.is_walled := false; new.access := 'open'; end if;
      return new;
    end $$`,
  // Rows are locked before what lies ahead of the case, as their own writers do: hence the trigger's name.
  sql`
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
      end $$`,
  sql`
    create trigger cases_access_copied after update of status_type, is_walled, access on base.cases
      for each row when (old.status_type <> new.status_type or old.is_walled <> new.is_walled
        or old.access <> new.access)
      execute function base.spread_case()`,
];
