import { type Kysely, sql } from 'kysely';
import { visible } from './baseline-walls.ts';

/**
 * The name and the number of a case are copied to its tasks, and its being active to its deadlines, like its walls, so that a
 * calendar of thousands, a search of tasks and counts of deadlines look up no case (decision 40).
 */
const statements = [
  sql`alter table base.tasks add column case_name text not null default '', add column case_no text`,
  sql`alter table base.tasks disable trigger user`,
  sql`update base.tasks t set case_name = c.case_name, case_no = c.case_no from base.cases c where c.id = t.case_id`,
  sql`alter table base.tasks enable trigger user`,
  // Folded as by `fold`, since a search of everyone's tasks looks at each open one.
  sql`
    alter table base.tasks add column search_text text not null generated always as (
      normalize(replace(lower(upper(lower(normalize(
        name || E'\\n' || description || E'\\n' || case_name || E'\\n' || coalesce(case_no, ''),
        NFC) collate "und-x-icu"))), 'ς', 'σ'), NFC)) stored`,
  sql`
    create or replace view tasks as
      select t.id, t.case_id, t.name, t.description, t.start_time, t.end_time, t.type, t.in_column_since,
        t.assigned_to, t.created_by, t.deleted_at, t.created_at, t.updated_at, t.done_at, t.is_active,
        t.entry_id, t.case_name, t.case_no, t.search_text
      from base.tasks t where ${visible('t', 'case_id')} with local check option`,
  sql`alter table base.deadlines add column is_active boolean not null default true`,
  sql`alter table base.deadlines disable trigger user`,
  sql`
    update base.deadlines d set is_active = false from base.cases c
      where c.id = d.case_id and c.status_type <> 'Active'`,
  sql`alter table base.deadlines enable trigger user`,
  sql`
    create or replace view deadlines as
      select
        t.id, t.case_id, t.title, t.kind, t.hard, t.date, t.time, t.time_zone, t.working_date,
        t.owner_id, t.second_id, t.author_id, t.dated_by, t.status, t.verified_by, t.verified_at,
        t.acknowledged_by, t.acknowledged_at, t.pending, t.floor_date, t.effective_date, t.due_at,
        t.basis, t.source, t.note, t.warn_days, t.imported, t.created_at, t.updated_at,
        t.trigger_event_id, t.trigger_deadline_id, t.counting, t.is_active
      from base.deadlines t where ${visible('t', 'case_id')} with local check option`,
  // Open deadlines of archived cases, the most after some years, are passed by.
  sql`
    create index deadlines_open on base.deadlines (kind, effective_date, id)
      include (case_id, is_walled, access) where status = 'open' and is_active`,
  sql`drop index base.deadlines_overdue`,
  sql`
    create index deadlines_overdue on base.deadlines (due_at)
      where status = 'open' and is_active and (not imported or verified_at is not null)`,
  sql`
    create function base.copy_case_of_deadline() returns trigger language plpgsql as $$ begin
      select c.is_walled, c.access, c.status_type = 'Active'
        into new.is_walled, new.access, new.is_active
        from base.cases c where c.id = new.case_id for share;
      if not found then new.is_walled := false; new.access := 'open'; new.is_active := true; end if;
      return new;
    end $$`,
  sql`drop trigger deadlines_copy_case on base.deadlines`,
  sql`
    create trigger deadlines_copy_case before insert or update of case_id on base.deadlines
      for each row execute function base.copy_case_of_deadline()`,
  sql`
    create or replace function base.copy_case() returns trigger language plpgsql as $$ begin
      select c.is_walled, c.access, c.status_type = 'Active', c.case_name, c.case_no
        into new.is_walled, new.access, new.is_active, new.case_name, new.case_no
        from base.cases c where c.id = new.case_id for share;
      -- Its reference refuses the row later.
      if not found then
        new.is_walled := true; new.access := 'restricted'; new.is_active := false; new.case_name := '';
      end if;
      return new;
    end $$`,
  sql`
    create or replace function base.spread_case() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        -- An index has those on the board, another the deleted ones, whose names the audit log shows.
        select array_agg(id) into ids from (
          select id from base.tasks where case_id = new.id and deleted_at is null
          union all select id from base.tasks where case_id = new.id and deleted_at is not null) t;
        update base.tasks
          set is_walled = new.is_walled, access = new.access, is_active = new.status_type = 'Active',
            case_name = new.case_name, case_no = new.case_no
          where id = any(ids);
        if old.is_walled <> new.is_walled or old.access <> new.access
          or old.status_type <> new.status_type then
          -- In the order of those who move an event, and the deadlines that count from it.
          perform from base.events where case_id = new.id for no key update;
          update base.deadlines
            set is_walled = new.is_walled, access = new.access, is_active = new.status_type = 'Active'
            where case_id = new.id;
        end if;
        if old.is_walled <> new.is_walled or old.access <> new.access then
          update base.events set is_walled = new.is_walled, access = new.access where case_id = new.id;
        end if;
        return null;
      end $$`,
  sql`drop trigger cases_access_copied on base.cases`,
  sql`
    create trigger cases_access_copied after update of status_type, is_walled, access, case_name, case_no on base.cases
      for each row when (old.status_type <> new.status_type or old.is_walled <> new.is_walled
        or old.access <> new.access or old.case_name <> new.case_name
        or old.case_no is distinct from new.case_no)
      execute function base.spread_case()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
