import { sql, type Kysely } from 'kysely';
import { visible } from './baseline-walls.ts';

/**
 * The date of a limitation that is in effect while a change of it waits, copied to its case, so that lists sort and
 * filter by it through an index. Null while the SOL itself is.
 */
const statements = [
  sql`alter table base.cases add column sol_in_effect date`,
  sql`create or replace view cases as select c.* from base.cases c where ${visible('c', 'id')}`,
  sql`
    update base.cases c set sol_in_effect = d.effective_date from base.deadlines d
      where d.case_id = c.id and d.kind = 'limitation'
        and (d.floor_date is not null or d.pending->>'action' = 'move')`,
  sql`drop index base.cases_by_limitation`,
  sql`drop index base.cases_by_sol`,
  sql`
    create index cases_by_limitation on base.cases ((coalesce(sol_in_effect, sol)), id)
      where status_type = 'Active'`,
  sql`
    create index cases_by_sol on base.cases (status_type, (coalesce(sol_in_effect, sol)), serial)`,
  // Writers of a limitation lock its case first. A new one has no change that waits.
  sql`
    create function base.follow_limitation() returns trigger language plpgsql as $$
      declare ruling date;
      begin
        if new.floor_date is not null or new.pending->>'action' = 'move' then
          ruling := new.effective_date;
        end if;
        update base.cases set sol_in_effect = ruling,
            updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')
          where id = new.case_id and sol_in_effect is distinct from ruling;
        return null;
      end $$`,
  sql`
    create trigger deadlines_follow_limitation
      after update of floor_date, pending, effective_date on base.deadlines
      for each row when (new.kind = 'limitation'
        and (old.floor_date, old.pending, old.effective_date)
          is distinct from (new.floor_date, new.pending, new.effective_date))
      execute function base.follow_limitation()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
