import { sql, type Kysely } from 'kysely';

/** Tasks that are done, and lists of tasks across cases. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table base.tasks add column done_at timestamptz(3)`.execute(db);
  // A view keeps the columns that its table had; a new one may only be added at its end.
  await sql`
    do $$ begin
      execute 'create or replace view tasks with (check_option = local) as '
        || replace(pg_get_viewdef('tasks'::regclass), 'FROM base.tasks t', ', t.done_at FROM base.tasks t');
    end $$`.execute(db);
  await sql`create index tasks_open on base.tasks (end_time, id)
    where deleted_at is null and done_at is null`.execute(db);
  await sql`create index tasks_done on base.tasks (end_time, id)
    where deleted_at is null and done_at is not null`.execute(db);
}
