import { type Kysely, sql } from 'kysely';

/** Fields that letters need. */
const statements = [
  sql`
    alter table base.contacts
      add column fax text,
      add column salutation text,
      add column letter_name text`,
  sql`
    create or replace view contacts as select t.* from base.contacts t
      where (select base.actor()) is not null and (
        not t.is_walled
        or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or exists (select from base.parties p join cases c on c.id = p.case_id where p.contact_id = t.id))
      with local check option`,
  sql`
    alter table firm
      add column phone text not null default '',
      add column letterhead text not null default ''`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
