import { sql, type Kysely } from 'kysely';

/** What each matter says of a contact stands behind the matter's wall, and so do audit entries of what is hidden. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSources(db);
  await keepWalls(db);
  await createViews(db);
  await hideEntries(db);
}

async function createSources(db: Kysely<unknown>) {
  await sql`
    create table base.contact_sources (
      id uuid primary key default gen_random_uuid(),
      contact_id uuid not null references base.contacts (id) on delete cascade,
      -- The matter that says it; null for what was entered at the contact itself.
      case_id uuid references base.cases (id) on delete cascade,
      -- A copy of the case's.
      is_walled boolean not null default false,
      other_names text[] not null,
      emails text[] not null,
      phone_numbers text[] not null,
      address text,
      organisation text,
      -- By what the contact is found again, as in contacts.
      keys text[] not null,
      search_text text not null,
      -- Increases, to say which matter came first.
      serial bigint not null generated always as identity,
      constraint contact_sources_once unique nulls not distinct (contact_id, case_id)
    )`.execute(db);
  await sql`create index contact_sources_of_case on base.contact_sources (case_id)
    where case_id is not null`.execute(db);
  await sql`create index contact_sources_walled on base.contact_sources (contact_id) where is_walled`.execute(
    db,
  );
  await sql`create index contact_sources_keys on base.contact_sources using gin (keys)
    with (fastupdate = on, gin_pending_list_limit = 256) where is_walled`.execute(db);
  // Hashes of names, addresses and numbers in the order in which people put them.
  await sql`alter table base.contacts add column ranking text[] not null default '{}'`.execute(db);
  // Matters take what is theirs from it when they are brought over.
  await sql`
    insert into base.contact_sources (contact_id, other_names, emails, phone_numbers, address, organisation,
        keys, search_text)
      select id, other_names, emails, phone_numbers, address, organisation, '{}', '' from base.contacts`.execute(
    db,
  );
}

/** Who writes a source holds its contact, and who changes a wall waits for that. */
async function keepWalls(db: Kysely<unknown>) {
  await sql`
    create function base.copy_wall_to_source() returns trigger language plpgsql as $$
      begin
        new.is_walled := coalesce((select c.is_walled from base.cases c where c.id = new.case_id), false);
        return new;
      end $$`.execute(db);
  await sql`
    create trigger contact_sources_wall before insert on base.contact_sources
      for each row execute function base.copy_wall_to_source()`.execute(db);
  await sql`
    create function base.copy_wall_to_sources() returns trigger language plpgsql as $$
      begin
        perform from base.contacts c
          where c.id in (select s.contact_id from base.contact_sources s where s.case_id = new.id)
          order by c.id for no key update;
        update base.contact_sources s set is_walled = new.is_walled where s.case_id = new.id;
        return null;
      end $$`.execute(db);
  // After the trigger that locks the contacts of its parties, which is before it in the alphabet.
  await sql`
    create trigger cases_wall_sources after update of is_walled on base.cases
      for each row when (old.is_walled <> new.is_walled) execute function base.copy_wall_to_sources()`.execute(
    db,
  );
}

async function createViews(db: Kysely<unknown>) {
  await sql`
    create or replace view contacts as select t.* from base.contacts t
      where (select base.actor()) is not null and (
        not t.is_walled
        or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or exists (select from base.parties p join cases c on c.id = p.case_id where p.contact_id = t.id))
      with local check option`.execute(db);
  // With `exists` the planner would read all matters.
  await sql`
    create view contact_sources as select t.* from base.contact_sources t
      where case when t.case_id is null then (select true from contacts c where c.id = t.contact_id)
        else (select true from cases c where c.id = t.case_id) end
      with local check option`.execute(db);
  // What most reads need, which is planned in half the time.
  await sql`
    create view walled_sources as select t.* from base.contact_sources t
      where t.is_walled and (select true from cases c where c.id = t.case_id)`.execute(db);
}

/** The contacts, intakes, checks and alerts of which an audit entry, which names no case, tells a reader nothing. */
async function hideEntries(db: Kysely<unknown>) {
  await sql`create index contacts_walled on base.contacts (id) where is_walled`.execute(db);
  const ofMatters = (table: 'conflict_checks' | 'conflict_alerts') => sql`
    select k.id::text from base.intakes i join base.${sql.id(table)} k on k.intake_id = i.id
      where i.is_walled and not exists (select from ${sql.id(table)} v where v.id = k.id)
    union all
    select k.id::text from base.cases c join base.${sql.id(table)} k on k.case_id = c.id
      where c.is_walled and not exists (select from ${sql.id(table)} v where v.id = k.id)`;
  await sql`
    create view hidden_subjects as
      select t.id::text as id from base.contacts t
        where t.is_walled and not exists (select from contacts c where c.id = t.id)
      union all
      select t.id::text from base.contacts t where t.merged_into is not null
        and not exists (select from contacts c where c.id = answering_contact(t.id))
      union all
      select t.id::text from base.intakes t
        where t.is_walled and not exists (select from intakes i where i.id = t.id)
      union all ${ofMatters('conflict_checks')}
      union all ${ofMatters('conflict_alerts')}`.execute(db);
}
