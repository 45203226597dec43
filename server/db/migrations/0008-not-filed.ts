import { type Kysely, sql } from 'kysely';
import { visible } from './baseline-walls.ts';

/**
 * Cases that are not filed yet: what they lack is null, or an empty text where no index or constraint needs to know.
 * `incomplete` names it. A reason in `no_statute` says that no date of a limitation will follow.
 */
const statements = [
  sql`
    alter table base.cases
      alter column case_no drop not null,
      alter column case_no_key drop not null,
      alter column doi drop not null,
      alter column sol drop not null,
      add column incomplete text[] not null default '{}',
      add column no_statute text`,
  sql`create or replace view cases as select c.* from base.cases c where ${visible('c', 'id')}`,
  sql`create index cases_incomplete on base.cases (serial desc) where incomplete <> '{}'`,
  sql`
    create index cases_without_statute on base.cases (serial)
      where status_type = 'Active' and sol is null and no_statute is null`,
  // Cases without a date follow all others, which a comparison with null would drop from later pages.
  sql`drop index base.cases_by_sol`,
  sql`
    create index cases_by_sol on base.cases
      (status_type, (coalesce(sol_in_effect, sol, 'infinity'::date)), serial)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
