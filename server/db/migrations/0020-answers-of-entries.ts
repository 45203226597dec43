import { type Kysely, sql } from 'kysely';
import { visible } from './baseline-walls.ts';

/** Answers from files that their readers added to the stream of a matter. */
const statements = [
  sql`alter table base.entries add column answer jsonb`,
  sql`
    create or replace view entries as
      select t.id, t.case_id, t.kind, t.text, t.search_text, t.at, t.entered_at, t.author_id, t.call,
        t.mentions, t.files, t.edited_at, t.deleted_at, t.deleted_by, t.pinned_at, t.updated_at, t.answer
      from base.entries t
      where exists (select from base.cases c where c.id = t.case_id and ${visible('c', 'id')})
      with local check option`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
