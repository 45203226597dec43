import { sql, type Kysely } from 'kysely';

/** Contacts, and which of them are parties of which case. What belongs to matters is read through views (decision 28). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createContacts(db);
  await createParties(db);
  await createRelations(db);
  await keepWalls(db);
  await createViews(db);
}

async function createContacts(db: Kysely<unknown>) {
  await sql`
    create table base.contacts (
      id uuid primary key default gen_random_uuid(),
      kind text not null check (kind in ('person', 'organisation')),
      name text not null,
      -- Folded, without accents: the order of lists.
      name_key text not null collate "C",
      other_names text[] not null default '{}',
      organisation text,
      emails text[] not null default '{}',
      phone_numbers text[] not null default '{}',
      address text,
      date_of_birth date,
      notes text,
      text_consent jsonb,
      -- By what contacts are found again: names, addresses, numbers, and a name with an address or a number.
      keys text[] not null,
      search_text text not null,
      -- Whether all its matters are walled.
      is_walled boolean not null default false,
      -- The contact that it answers like since a merge.
      merged_into uuid references base.contacts (id) on delete cascade,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index contacts_by_name on base.contacts (name_key, id) include (kind, is_walled)
    where merged_into is null`.execute(db);
  await sql`create index contacts_merged on base.contacts (merged_into) where merged_into is not null`.execute(
    db,
  );
  // As for cases, writes collect in a short list.
  const pending = sql.raw('with (fastupdate = on, gin_pending_list_limit = 256)');
  await sql`create index contacts_keys on base.contacts using gin (keys) ${pending}`.execute(db);
  await sql`create index contacts_search on base.contacts using gin (search_text gin_trgm_ops) ${pending}`.execute(
    db,
  );
  await sql`create index contacts_search_short on base.contacts using gin (bigrams(search_text)) ${pending}`.execute(
    db,
  );
  await sql`
    create function answering_contact(asked uuid) returns uuid language sql stable as $$
      with recursive up as (
        select c.id, c.merged_into from base.contacts c where c.id = asked
        union all select c.id, c.merged_into from up join base.contacts c on c.id = up.merged_into)
      select up.id from up where up.merged_into is null $$`.execute(db);
}

async function createParties(db: Kysely<unknown>) {
  await sql`
    create table base.parties (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references base.cases (id),
      contact_id uuid not null references base.contacts (id),
      role text not null check (role in ('client', 'opposingParty', 'opposingCounsel', 'coCounsel', 'witness',
        'expert', 'insurer', 'provider', 'guardian', 'judge', 'court', 'referrer', 'other')),
      note text not null default '',
      -- The part of the case that it comes from.
      embedded text check (embedded in ('clientInfo', 'opposingCounselInfo')),
      created_at timestamptz(3) not null default clock_timestamp(),
      constraint parties_once unique (case_id, contact_id, role)
    )`.execute(db);
  await sql`create unique index parties_embedded on base.parties (case_id, embedded)
    where embedded is not null`.execute(db);
  await sql`create index parties_of_contact on base.parties (contact_id, role)`.execute(db);
  await sql`create index parties_in_role on base.parties (role, contact_id)`.execute(db);
}

async function createRelations(db: Kysely<unknown>) {
  await sql`
    create table base.contact_links (
      contact_id uuid not null references base.contacts (id) on delete cascade,
      linked_id uuid not null references base.contacts (id) on delete cascade,
      relation text not null check (relation in ('relative', 'parentCompany', 'officer', 'owner', 'employee',
        'insurer', 'other')),
      primary key (contact_id, linked_id, relation),
      check (contact_id <> linked_id)
    )`.execute(db);
  await sql`create index contact_links_back on base.contact_links (linked_id)`.execute(db);
  await sql`
    create table base.distinct_contacts (
      one_id uuid not null references base.contacts (id) on delete cascade,
      other_id uuid not null references base.contacts (id) on delete cascade,
      primary key (one_id, other_id),
      check (one_id < other_id)
    )`.execute(db);
  await sql`
    create table base.contact_merges (
      id bigint generated always as identity primary key,
      into_id uuid not null references base.contacts (id) on delete cascade,
      from_id uuid not null references base.contacts (id) on delete cascade,
      by_id uuid references users (id),
      -- What an undoing gives back.
      moved jsonb not null,
      at timestamptz(3) not null default clock_timestamp(),
      undone_at timestamptz(3)
    )`.execute(db);
  await sql`create index contact_merges_into on base.contact_merges (into_id) where undone_at is null`.execute(
    db,
  );
}

/** A contact is walled while it has matters, and all of them are: then only those who see one of them see it. */
async function keepWalls(db: Kysely<unknown>) {
  await sql`
    create function base.wall_contacts(ids uuid[]) returns void language plpgsql as $$
      begin
        -- The update sees what others committed while this waited for them.
        perform from base.contacts c where c.id = any(ids) order by c.id for no key update;
        update base.contacts c set is_walled = not c.is_walled
          where c.id = any(ids) and c.is_walled <> (
            exists (select from base.parties p where p.contact_id = c.id)
            and not exists (select from base.parties p join base.cases m on m.id = p.case_id
              where p.contact_id = c.id and not m.is_walled));
      end $$`.execute(db);
  await sql`
    create function base.keep_contact_walls() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        if tg_op = 'INSERT' then
          select array_agg(distinct r.contact_id) into ids from new_rows r
            join base.cases m on m.id = r.case_id join base.contacts c on c.id = r.contact_id
            where m.is_walled or c.is_walled;
        elsif tg_op = 'UPDATE' then
          select array_agg(distinct a.contact_id) into ids from (
            select contact_id from new_rows union all select contact_id from old_rows) a;
        else
          select array_agg(distinct r.contact_id) into ids from old_rows r;
        end if;
        if ids is not null then perform base.wall_contacts(ids); end if;
        return null;
      end $$`.execute(db);
  for (const [event, rows] of [
    ['insert', 'new table as new_rows'],
    ['update', 'old table as old_rows new table as new_rows'],
    ['delete', 'old table as old_rows'],
  ] as const)
    await sql`
      create trigger ${sql.id(`parties_wall_${event}`)} after ${sql.raw(event)} on base.parties
        referencing ${sql.raw(rows)} for each statement execute function base.keep_contact_walls()`.execute(
      db,
    );
  await sql`
    create function base.keep_walls_of_parties() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        select array_agg(distinct p.contact_id) into ids from base.parties p where p.case_id = new.id;
        if ids is not null then perform base.wall_contacts(ids); end if;
        return null;
      end $$`.execute(db);
  await sql`
    create trigger cases_wall_contacts after update of is_walled on base.cases
      for each row when (old.is_walled <> new.is_walled) execute function base.keep_walls_of_parties()`.execute(
    db,
  );
}

async function createViews(db: Kysely<unknown>) {
  await sql`
    create view parties as select t.* from base.parties t
      where (select base.actor()) is not null
        and exists (select from cases c where c.id = t.case_id)
      with local check option`.execute(db);
  await sql`
    create view contacts as select t.* from base.contacts t
      where (select base.actor()) is not null and (
        not t.is_walled
        or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or exists (select from base.parties p join cases c on c.id = p.case_id where p.contact_id = t.id))
      with local check option`.execute(db);
  await sql`
    create view contact_links as select t.* from base.contact_links t
      where exists (select from contacts c where c.id = t.contact_id)
        and exists (select from contacts c where c.id = t.linked_id)
      with local check option`.execute(db);
  await sql`
    create view distinct_contacts as select t.* from base.distinct_contacts t
      where exists (select from contacts c where c.id = t.one_id)
        and exists (select from contacts c where c.id = t.other_id)
      with local check option`.execute(db);
  await sql`
    create view contact_merges as select t.* from base.contact_merges t
      where exists (select from contacts c where c.id = t.into_id)
      with local check option`.execute(db);
}
