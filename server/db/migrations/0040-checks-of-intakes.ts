import { sql, type Kysely } from 'kysely';

/** Conflict checks of intakes: who may read them, and what an intake says of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A check that an intake brought along is read by those who see its matter.
  for (const table of ['conflict_checks', 'conflict_alerts'])
    await sql`
      create or replace view ${sql.id(table)} as select t.* from base.${sql.id(table)} t
        where (select base.actor()) is not null
          and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
          and (t.intake_id is null or exists (select from intakes i where i.id = t.intake_id)
            or exists (select from base.intakes i join cases c on c.id = i.case_id where i.id = t.intake_id))
        with local check option`.execute(db);
  await sql`create index intakes_of_contact on base.intakes (contact_id) where contact_id is not null`.execute(
    db,
  );
  await sql`create index intakes_referred on base.intakes (referred_to) where referred_to is not null`.execute(
    db,
  );
  await createSummary(db);
}

/**
 * The newest check of an intake, the same for all who see the intake: hits on walled matters count only where everyone
 * would learn of them.
 */
async function createSummary(db: Kysely<unknown>) {
  await sql`
    create function check_of_intake(asked uuid) returns jsonb language sql stable as $$
      select jsonb_build_object('id', k.id, 'outcome', (
          select e.body ->> 'outcome' from base.conflict_entries e
          where e.check_id = k.id and e.action = 'concluded' limit 1),
        'undecided', (
          select count(*) from jsonb_array_elements(k.hits) h
          where h ->> 'severity' not in ('known', 'mention')
            and not exists (select from base.conflict_entries e where e.check_id = k.id and (
              e.action = 'concluded' or e.action = 'decided' and e.body -> 'hitIds' ? (h ->> 'id')))
            and ((h ->> 'isWhole')::boolean and h ->> 'match' in ('identifier', 'exact', 'nickname', 'phonetic')
              or not exists (select from base.cases c
                where c.id::text = h -> 'found' -> 'case' ->> 'id' and c.is_walled))))
      from base.conflict_checks k where k.intake_id = asked order by k.number desc limit 1 $$`.execute(
    db,
  );
}
