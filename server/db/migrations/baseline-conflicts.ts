import { sql, type RawBuilder } from 'kysely';

/** Names of everyone that the firm has to do with, the words that find them, and the records of conflict checks. */
export const conflicts: RawBuilder<unknown>[] = [
  sql`
    create table base.names (
      id bigint generated always as identity primary key,
      source text not null check (source in ('parties', 'contacts', 'intakes', 'people', 'correspondents',
        'caseNames', 'fileNames')),
      source_id uuid not null,
      case_id uuid references base.cases (id) on delete cascade,
      intake_id uuid,
      contact_id uuid,
      -- Whose mail or texts it comes from.
      owner_id uuid references users (id),
      role text not null,
      name text not null,
      -- Folded words, joined words and initials, made by the application.
      words text[] not null,
      -- E-mail addresses in lower case, and digits of phone numbers.
      identifiers text[] not null,
      is_checked boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index names_of_source on base.names (source, source_id)`,
  sql`create index names_of_case on base.names (case_id) where case_id is not null`,
  sql`create index names_of_owner on base.names (owner_id, name) where owner_id is not null`,
  sql`create index names_unchecked on base.names (id) where not is_checked`,
  // A long list of pending entries would make searches wait.
  sql`create index names_by_word on base.names using gin (words)
    with (gin_pending_list_limit = 256)`,
  sql`create index names_by_identifier on base.names using gin (identifiers)
    with (gin_pending_list_limit = 256)`,
  // Not unique: no write waits for another that adds the same word. The upkeep removes duplicates.
  sql`
    create table name_words (
      word text not null,
      -- Rows with the word, as the last upkeep counted them.
      n int not null default 0,
      -- Hashes that it shares with words spelled or sounding alike.
      keys int[] not null
    )`,
  sql`create index name_words_by_word on name_words using hash (word)`,
  sql`create index name_words_by_key on name_words using gin (keys)
    with (gin_pending_list_limit = 256)`,
  ...checks(),
  ...entries(),
  ...alerts(),
  // Matters that wait for their first conflict check.
  sql`
    create table base.unchecked_cases (
      case_id uuid primary key references base.cases (id) on delete cascade,
      by_id uuid references users (id)
    )`,
  sql`
    create view unchecked_cases as select t.* from base.unchecked_cases t
      where exists (select from cases c where c.id = t.case_id)
      with local check option`,
  // A contact that becomes a party stands against others as if its name were new.
  sql`
    create function base.check_party() returns trigger language plpgsql as $$ begin
      update base.names set is_checked = false where source = 'contacts' and source_id = new.contact_id;
      return null;
    end $$`,
  sql`
    create trigger parties_are_checked after insert or update of contact_id, role on base.parties
      for each row when (new.embedded is null) execute function base.check_party()`,
  sql`
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
      from base.conflict_checks k where k.intake_id = asked order by k.number desc limit 1 $$`,
  // The contacts, intakes, checks and alerts of which an audit entry, which names no case, shows a reader nothing.
  sql`
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
      union all ${ofMatters('conflict_alerts')}`,
];

/** The records of checks, which are added and never changed. */
function checks(): RawBuilder<unknown>[] {
  return [
    sql`
    create table base.conflict_checks (
      id uuid primary key default gen_random_uuid(),
      number int not null unique,
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      case_id uuid,
      intake_id uuid,
      names jsonb not null,
      with_texts boolean not null,
      searched jsonb not null,
      hits jsonb not null,
      rerun_of uuid references base.conflict_checks (id),
      search_text text not null
    )`,
    sql`create index conflict_checks_of_case on base.conflict_checks (case_id)`,
    sql`create index conflict_checks_of_intake on base.conflict_checks (intake_id)`,
    sql`
    create function base.number_conflict_check() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        -- Until the transaction ends, so that numbers have no gaps and entries follow each other.
        perform pg_advisory_xact_lock(hashtext('matterdesk.conflicts'));
        new.at := clock_timestamp();
        select coalesce(max(number), 0) + 1 into new.number from base.conflict_checks;
        return new;
      end $$`,
    sql`
    create trigger conflict_checks_are_numbered before insert on base.conflict_checks
      for each row execute function base.number_conflict_check()`,
  ];
}

function entries(): RawBuilder<unknown>[] {
  return [
    // Each entry is hashed with the one before, whichever check that belongs to.
    sql`
    create table base.conflict_entries (
      id bigint generated always as identity primary key,
      check_id uuid not null references base.conflict_checks (id),
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null check (action in ('opened', 'decided', 'concluded')),
      body jsonb not null,
      hash bytea not null default ''
    )`,
    sql`create index conflict_entries_of_check on base.conflict_entries (check_id, id)`,
    sql`
    create function base.hash_of_conflict_entry(e base.conflict_entries, before bytea)
      returns bytea language sql stable as $$
      select sha256(before || convert_to(jsonb_build_array(e.check_id,
        (extract(epoch from e.at) * 1000)::bigint, e.by_id, e.action, e.body)::text, 'UTF8'))
    $$`,
    sql`
    create function base.chain_conflict_entries() returns trigger language plpgsql
      set search_path = pg_catalog, pg_temp as $$
      begin
        perform pg_advisory_xact_lock(hashtext('matterdesk.conflicts'));
        new.at := clock_timestamp();
        new.hash := base.hash_of_conflict_entry(new, coalesce(
          (select e.hash from base.conflict_entries e order by e.id desc limit 1), ''));
        return new;
      end $$`,
    sql`
    create trigger conflict_entries_are_chained before insert on base.conflict_entries
      for each row execute function base.chain_conflict_entries()`,
  ];
}

/** Alerts about new names, and who sees them and the checks. */
function alerts(): RawBuilder<unknown>[] {
  return [
    sql`
    create table base.conflict_alerts (
      id uuid primary key default gen_random_uuid(),
      at timestamptz(3) not null default clock_timestamp(),
      -- The two names, in either order: a pair is reported once.
      pair text not null unique,
      case_id uuid,
      intake_id uuid,
      name jsonb not null,
      hit jsonb not null,
      decision jsonb
    )`,
    sql`create index conflict_alerts_listed on base.conflict_alerts (at desc, id)`,
    // A record without a subject may be read by everyone; its hits are filtered for the reader. A check that an intake
    // brought along is read by those who see its matter.
    ...['conflict_checks', 'conflict_alerts'].map(
      (table) => sql`
      create view ${sql.id(table)} as select t.* from base.${sql.id(table)} t
        where (select base.actor()) is not null
          and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
          and (t.intake_id is null or exists (select from intakes i where i.id = t.intake_id)
            or exists (select from base.intakes i join cases c on c.id = i.case_id where i.id = t.intake_id))
        with local check option`,
    ),
    sql`
    create view conflict_entries as select t.* from base.conflict_entries t
      where exists (select from conflict_checks c where c.id = t.check_id)
      with local check option`,
  ];
}

function ofMatters(table: string): RawBuilder<unknown> {
  return sql`
    select k.id::text from base.intakes i join base.${sql.id(table)} k on k.intake_id = i.id
      where i.is_walled and not exists (select from ${sql.id(table)} v where v.id = k.id)
    union all
    select k.id::text from base.cases c join base.${sql.id(table)} k on k.case_id = c.id
      where c.is_walled and not exists (select from ${sql.id(table)} v where v.id = k.id)`;
}
