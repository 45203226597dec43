import { sql, type Kysely } from 'kysely';

/** Names of everyone that the firm has to do with, the words that find them, and the records of conflict checks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createNames(db);
  await createChecks(db);
  await createAlerts(db);
  await keepRecords(db);
  await createViews(db);
}

async function createNames(db: Kysely<unknown>) {
  await sql`
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
    )`.execute(db);
  await sql`create index names_of_source on base.names (source, source_id)`.execute(db);
  await sql`create index names_of_case on base.names (case_id) where case_id is not null`.execute(
    db,
  );
  await sql`create index names_of_owner on base.names (owner_id, name) where owner_id is not null`.execute(
    db,
  );
  await sql`create index names_unchecked on base.names (id) where not is_checked`.execute(db);
  // A long list of pending entries would make searches wait.
  await sql`create index names_by_word on base.names using gin (words)
    with (gin_pending_list_limit = 256)`.execute(db);
  await sql`create index names_by_identifier on base.names using gin (identifiers)
    with (gin_pending_list_limit = 256)`.execute(db);
  // Not unique: no write waits for another that adds the same word. The upkeep removes duplicates.
  await sql`
    create table name_words (
      word text not null,
      -- Rows with the word, as the last upkeep counted them.
      n int not null default 0,
      -- What it shares with words that are spelled or sound alike.
      keys int[] not null
    )`.execute(db);
  await sql`create index name_words_by_word on name_words using hash (word)`.execute(db);
  await sql`create index name_words_by_key on name_words using gin (keys)
    with (gin_pending_list_limit = 256)`.execute(db);
}

async function createChecks(db: Kysely<unknown>) {
  await sql`
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
    )`.execute(db);
  await sql`create index conflict_checks_of_case on base.conflict_checks (case_id)`.execute(db);
  await sql`create index conflict_checks_of_intake on base.conflict_checks (intake_id)`.execute(db);
  // Each entry is hashed with the one before, whichever check that belongs to.
  await sql`
    create table base.conflict_entries (
      id bigint generated always as identity primary key,
      check_id uuid not null references base.conflict_checks (id),
      at timestamptz(3) not null default clock_timestamp(),
      by_id uuid references users (id),
      action text not null check (action in ('opened', 'decided', 'concluded')),
      body jsonb not null,
      hash bytea not null default ''
    )`.execute(db);
  await sql`create index conflict_entries_of_check on base.conflict_entries (check_id, id)`.execute(
    db,
  );
}

async function createAlerts(db: Kysely<unknown>) {
  await sql`
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
    )`.execute(db);
  await sql`create index conflict_alerts_listed on base.conflict_alerts (at desc, id)`.execute(db);
}

/** Records are added, never changed. */
async function keepRecords(db: Kysely<unknown>) {
  await sql`
    create function base.number_conflict_check() returns trigger language plpgsql as $$
      begin
        -- Until the transaction ends, so that numbers have no gaps and entries follow each other.
        perform pg_advisory_xact_lock(hashtext('matterdesk.conflicts'));
        select coalesce(max(number), 0) + 1 into new.number from base.conflict_checks;
        return new;
      end $$`.execute(db);
  await sql`
    create trigger conflict_checks_are_numbered before insert on base.conflict_checks
      for each row execute function base.number_conflict_check()`.execute(db);
  await sql`
    create function base.hash_of_conflict_entry(e base.conflict_entries, before bytea)
      returns bytea language sql stable as $$
      select sha256(before || convert_to(jsonb_build_array(e.check_id,
        (extract(epoch from e.at) * 1000)::bigint, e.by_id, e.action, e.body)::text, 'UTF8'))
    $$`.execute(db);
  await sql`
    create function base.chain_conflict_entries() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('matterdesk.conflicts'));
        new.at := clock_timestamp();
        new.hash := base.hash_of_conflict_entry(new, coalesce(
          (select e.hash from base.conflict_entries e order by e.id desc limit 1), ''));
        return new;
      end $$`.execute(db);
  await sql`
    create trigger conflict_entries_are_chained before insert on base.conflict_entries
      for each row execute function base.chain_conflict_entries()`.execute(db);
  await sql`
    create function base.keep_conflict_records() returns trigger language plpgsql as $$
      begin raise exception '% is append-only', tg_table_name; end $$`.execute(db);
  for (const table of ['conflict_checks', 'conflict_entries'])
    await sql`
      create trigger ${sql.id(`${table}_stay`)} before update or delete or truncate
        on base.${sql.id(table)} for each statement execute function base.keep_conflict_records()`.execute(
      db,
    );
}

/** A record without a subject may be read by everyone; its hits are filtered for the reader. */
async function createViews(db: Kysely<unknown>) {
  for (const table of ['conflict_checks', 'conflict_alerts'])
    await sql`
      create view ${sql.id(table)} as select t.* from base.${sql.id(table)} t
        where (select base.actor()) is not null
          and (t.case_id is null or exists (select from cases c where c.id = t.case_id))
        with local check option`.execute(db);
  await sql`
    create view conflict_entries as select t.* from base.conflict_entries t
      where exists (select from conflict_checks c where c.id = t.check_id)
      with local check option`.execute(db);
}
