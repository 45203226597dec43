import { type Kysely, sql } from 'kysely';
import { visible } from './baseline-walls.ts';

/** The former addresses of a file that was renamed or moved, folded as 'folder/name', so that its earlier URLs lead to it. */
const statements = [
  sql`alter table base.files add column former text[] not null default '{}'`,
  sql`create index files_former on base.files using gin (former) where former <> '{}'`,
  sql`
    create or replace view files as select t.* from base.files t
      where exists (select from base.cases c where c.id = t.case_id and ${visible('c', 'id')})
      with local check option`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
