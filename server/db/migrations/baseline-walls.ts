import { sql, type RawBuilder } from 'kysely';

/**
 * Condition under which a person sees a row that carries the walls of its case. The person is `matterdesk.actor` of the
 * transaction; without one the views are empty, and the nil UUID is the server itself.
 *
 * Scalar sub-selects are evaluated once per statement; row level security would lose the search index.
 */
export function visible(row: 'c' | 't', caseId: 'id' | 'case_id'): RawBuilder<boolean> {
  const [walled, access, id] = ['is_walled', 'access', caseId].map((name) => `${row}.${name}`);
  return sql.raw(`(select base.actor()) is not null and (
    not ${walled}
    or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
    or (${access} = 'restricted' and exists (
      select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = ${id}
        and s.sees and (s.until is null or s.until > statement_timestamp())))
    or (${access} = 'open' and not exists (
      select from base.case_sight s where s.user_id = (select base.actor()) and s.case_id = ${id}
        and not s.sees)))`);
}

/** A view of rows that belong to a visible case. */
export function viewOfCases(table: string, columns = 't.*'): RawBuilder<unknown> {
  return sql`
    create view ${sql.id(table)} as select ${sql.raw(columns)} from base.${sql.id(table)} t
      where exists (select from base.cases c where c.id = t.case_id and ${visible('c', 'id')})
      with local check option`;
}

/** Refuses work for a user who is screened from the matter, whichever code forgets to check. */
export function keepScreens(table: string, person: string): RawBuilder<unknown> {
  return sql`
    create function ${sql.id('base', `keep_screens_of_${table}`)}() returns trigger language plpgsql as $$
      declare who text;
      begin
        select u.first_name || ' ' || u.last_name into who
          from base.case_access a join users u on u.id = a.user_id
          where a.case_id = new.case_id and ${sql.raw(person)};
        if who is not null then
          raise exception using errcode = 'MDSCR', message = who || ' is screened from this matter';
        end if;
        return new;
      end $$`;
}
