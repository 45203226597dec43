import { type Kysely, sql } from 'kysely';
import { visible } from './baseline-walls.ts';

/** Tasks, events and deadlines that were made from an entry of their matter, each found by it. */
const statements = [
  sql`alter table base.tasks add column entry_id uuid references base.entries (id)`,
  sql`create index tasks_of_entry on base.tasks (entry_id)
    where entry_id is not null and deleted_at is null`,
  sql`
    create or replace view tasks as
      select t.id, t.case_id, t.name, t.description, t.start_time, t.end_time, t.type, t.in_column_since,
        t.assigned_to, t.created_by, t.deleted_at, t.created_at, t.updated_at, t.done_at, t.is_active,
        t.entry_id
      from base.tasks t where ${visible('t', 'case_id')} with local check option`,
  sql`create index events_of_entry on base.events ((source ->> 'id')) where source ->> 'type' = 'entry'`,
  sql`create index deadlines_of_entry on base.deadlines ((source ->> 'id'))
    where source ->> 'type' = 'entry'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
