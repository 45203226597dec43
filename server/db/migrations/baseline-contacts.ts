import { sql, type RawBuilder } from 'kysely';

/** Contacts, and which of them are parties of which case (decisions 39 and 52). */
export const contacts: RawBuilder<unknown>[] = [
  sql`
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
      -- Keys that find a contact again: names, addresses, numbers, and a name with an address or a number.
      keys text[] not null,
      search_text text not null,
      -- Whether all its matters are walled.
      is_walled boolean not null default false,
      -- The contact that it answers like since a merge.
      merged_into uuid references base.contacts (id) on delete cascade,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp(),
      -- Hashes of names, addresses and numbers in the order in which people put them.
      ranking text[] not null default '{}'
    )`,
  sql`create index contacts_by_name on base.contacts (name_key, id) include (kind, is_walled)
    where merged_into is null`,
  sql`create index contacts_merged on base.contacts (merged_into) where merged_into is not null`,
  // As for cases, writes collect in a short list.
  sql`create index contacts_keys on base.contacts using gin (keys) with (fastupdate = on, gin_pending_list_limit = 256)`,
  sql`create index contacts_search on base.contacts using gin (search_text gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 256)`,
  sql`create index contacts_search_short on base.contacts using gin (bigrams(search_text)) with (fastupdate = on, gin_pending_list_limit = 256)`,
  sql`create index contacts_walled on base.contacts (id) where is_walled`,
  sql`
    create function answering_contact(asked uuid) returns uuid language sql stable as $$
      with recursive up as (
        select c.id, c.merged_into from base.contacts c where c.id = asked
        union all select c.id, c.merged_into from up join base.contacts c on c.id = up.merged_into)
      select up.id from up where up.merged_into is null $$`,
  sql`
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
    )`,
  sql`create unique index parties_embedded on base.parties (case_id, embedded)
    where embedded is not null`,
  sql`create index parties_of_contact on base.parties (contact_id, role)`,
  sql`create index parties_in_role on base.parties (role, contact_id)`,
  sql`
    create table base.contact_links (
      contact_id uuid not null references base.contacts (id) on delete cascade,
      linked_id uuid not null references base.contacts (id) on delete cascade,
      relation text not null check (relation in ('relative', 'parentCompany', 'officer', 'owner', 'employee',
        'insurer', 'other')),
      primary key (contact_id, linked_id, relation),
      check (contact_id <> linked_id)
    )`,
  sql`create index contact_links_back on base.contact_links (linked_id)`,
  sql`
    create table base.distinct_contacts (
      one_id uuid not null references base.contacts (id) on delete cascade,
      other_id uuid not null references base.contacts (id) on delete cascade,
      primary key (one_id, other_id),
      check (one_id < other_id)
    )`,
  sql`
    create table base.contact_merges (
      id bigint generated always as identity primary key,
      into_id uuid not null references base.contacts (id) on delete cascade,
      from_id uuid not null references base.contacts (id) on delete cascade,
      by_id uuid references users (id),
      -- Rows that an undo gives back.
      moved jsonb not null,
      at timestamptz(3) not null default clock_timestamp(),
      undone_at timestamptz(3)
    )`,
  sql`create index contact_merges_into on base.contact_merges (into_id) where undone_at is null`,
  ...sources(),
  ...walls(),
  sql`
    create view parties as select t.* from base.parties t
      where (select base.actor()) is not null
        and exists (select from cases c where c.id = t.case_id)
      with local check option`,
  sql`
    create view contacts as select t.* from base.contacts t
      where (select base.actor()) is not null and (
        not t.is_walled
        or (select base.actor()) = '00000000-0000-0000-0000-000000000000'
        or exists (select from base.parties p join cases c on c.id = p.case_id where p.contact_id = t.id))
      with local check option`,
  sql`
    create view contact_links as select t.* from base.contact_links t
      where exists (select from contacts c where c.id = t.contact_id)
        and exists (select from contacts c where c.id = t.linked_id)
      with local check option`,
  sql`
    create view distinct_contacts as select t.* from base.distinct_contacts t
      where exists (select from contacts c where c.id = t.one_id)
        and exists (select from contacts c where c.id = t.other_id)
      with local check option`,
  sql`
    create view contact_merges as select t.* from base.contact_merges t
      where exists (select from contacts c where c.id = t.into_id)
      with local check option`,
  // With `exists` the planner would read all matters.
  sql`
    create view contact_sources as select t.* from base.contact_sources t
      where case when t.case_id is null then (select true from contacts c where c.id = t.contact_id)
        else (select true from cases c where c.id = t.case_id) end
      with local check option`,
  // Enough for most reads, and planned in half the time.
  sql`
    create view walled_sources as select t.* from base.contact_sources t
      where t.is_walled and (select true from cases c where c.id = t.case_id)`,
];

/** Details that each matter gives of a contact, behind the matter's wall. */
function sources(): RawBuilder<unknown>[] {
  return [
    sql`
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
      -- Keys that find the contact again, as in contacts.
      keys text[] not null,
      search_text text not null,
      -- Increases, to say which matter came first.
      serial bigint not null generated always as identity,
      constraint contact_sources_once unique nulls not distinct (contact_id, case_id)
    )`,
    sql`create index contact_sources_of_case on base.contact_sources (case_id)
    where case_id is not null`,
    sql`create index contact_sources_walled on base.contact_sources (contact_id) where is_walled`,
    sql`create index contact_sources_keys on base.contact_sources using gin (keys)
    with (fastupdate = on, gin_pending_list_limit = 256) where is_walled`,
    sql`
    create function base.copy_wall_to_source() returns trigger language plpgsql as $$
      begin
        new.is_walled := coalesce((select c.is_walled from base.cases c where c.id = new.case_id), false);
        return new;
      end $$`,
    sql`
    create trigger contact_sources_wall before insert on base.contact_sources
      for each row execute function base.copy_wall_to_source()`,
    sql`
    create function base.copy_wall_to_sources() returns trigger language plpgsql as $$
      begin
        perform from base.contacts c
          where c.id in (select s.contact_id from base.contact_sources s where s.case_id = new.id)
          order by c.id for no key update;
        update base.contact_sources s set is_walled = new.is_walled where s.case_id = new.id;
        return null;
      end $$`,
    // After the trigger that locks the contacts of its parties, which is before it in the alphabet.
    sql`
    create trigger cases_wall_sources after update of is_walled on base.cases
      for each row when (old.is_walled <> new.is_walled) execute function base.copy_wall_to_sources()`,
  ];
}

/** A contact is walled while it has matters, and all of them are: then only those who see one of them see it. */
function walls(): RawBuilder<unknown>[] {
  return [
    sql`
    create function base.wall_contacts(ids uuid[]) returns void language plpgsql as $$
      begin
        -- The update sees what others committed while this waited for them.
        perform from base.contacts c where c.id = any(ids) order by c.id for no key update;
        update base.contacts c set is_walled = not c.is_walled
          where c.id = any(ids) and c.is_walled <> (
            exists (select from base.parties p where p.contact_id = c.id)
            and not exists (select from base.parties p join base.cases m on m.id = p.case_id
              where p.contact_id = c.id and not m.is_walled));
      end $$`,
    sql`
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
      end $$`,
    ...[
      ['insert', 'new table as new_rows'],
      ['update', 'old table as old_rows new table as new_rows'],
      ['delete', 'old table as old_rows'],
    ].map(
      ([event = '', rows = '']) => sql`
      create trigger ${sql.id(`parties_wall_${event}`)} after ${sql.raw(event)} on base.parties
        referencing ${sql.raw(rows)} for each statement execute function base.keep_contact_walls()`,
    ),
    sql`
    create function base.keep_walls_of_parties() returns trigger language plpgsql as $$
      declare ids uuid[];
      begin
        select array_agg(distinct p.contact_id) into ids from base.parties p where p.case_id = new.id;
        if ids is not null then perform base.wall_contacts(ids); end if;
        return null;
      end $$`,
    sql`
    create trigger cases_wall_contacts after update of is_walled on base.cases
      for each row when (old.is_walled <> new.is_walled) execute function base.keep_walls_of_parties()`,
  ];
}
