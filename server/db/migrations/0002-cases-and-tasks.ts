import { sql, type Kysely } from 'kysely';

/** Cases with their parties and assigned users, and the tasks on their boards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCases(db);
  await sql`
    create table case_assignments (
      case_id uuid not null references cases (id),
      user_id uuid not null references users (id),
      position int not null,
      primary key (case_id, user_id)
    )`.execute(db);
  await sql`create index case_assignments_of_user on case_assignments (user_id)`.execute(db);
  await createTasks(db);
}

async function createCases(db: Kysely<unknown>) {
  await sql`
    create table cases (
      id uuid primary key default gen_random_uuid(),
      serial bigint generated always as identity,
      case_name text not null,
      case_no text not null,
      case_no_key text not null unique,
      status_type text not null check (status_type in ('Active', 'Archive')),
      status text not null check (status in ('Pre-List', 'Litigation', 'ADR')),
      type text not null check (type in ('Civil', 'PI', 'Med-Mal')),
      judge text not null,
      date_of_opening date not null,
      managing_attorney text not null,
      doi date not null,
      sol date not null,
      days_open int not null,
      days_open_since timestamptz not null default clock_timestamp(),
      archived_at timestamptz,
      client_name text not null,
      client_phone_number text not null,
      client_email text not null,
      client_address text not null,
      counsel_organization text not null,
      counsel_name text not null,
      counsel_phone_number text not null,
      counsel_email text not null,
      counsel_address text not null,
      search_text text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create unique index cases_newest on cases (serial desc)`.execute(db);
  await sql`create index cases_newest_of_status on cases (status_type, serial desc)`.execute(db);
  await sql`create index cases_by_limitation on cases (sol, id) where status_type = 'Active'`.execute(
    db,
  );
  await indexSearch(db);
}

/**
 * Trigrams find any substring of three letters or digits; pairs of characters find shorter ones. Both indexes collect
 * new rows in a short pending list, so that a write touches a few pages instead of hundreds.
 */
async function indexSearch(db: Kysely<unknown>) {
  // The cost keeps the planner from computing it for each row instead of using the index.
  await sql`
    create function bigrams(t text) returns tsvector
      language sql immutable strict parallel safe cost 10000 as $$
        select array_to_tsvector(array(
          select a || coalesce(b, E'\\n')
          from unnest(string_to_array(t, null), string_to_array(substr(t, 2), null)) as pair (a, b)
        )) $$`.execute(db);
  const pending = sql.raw('with (fastupdate = on, gin_pending_list_limit = 256)');
  await sql`create index cases_search on cases using gin (search_text gin_trgm_ops) ${pending}`.execute(
    db,
  );
  await sql`create index cases_search_short on cases using gin (bigrams(search_text)) ${pending}`.execute(
    db,
  );
}

async function createTasks(db: Kysely<unknown>) {
  await sql`
    create table tasks (
      id uuid primary key default gen_random_uuid(),
      case_id uuid not null references cases (id),
      name text not null,
      description text not null,
      start_time timestamptz(3) not null,
      end_time timestamptz(3) not null,
      type text not null
        check (type in ('intake', 'demandOfInsurance', 'finalLawsuit', 'discovery', 'adr')),
      in_column_since timestamptz(3) not null default clock_timestamp(),
      assigned_to uuid not null references users (id),
      created_by uuid not null references users (id),
      deleted_at timestamptz,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index tasks_of_board on tasks (case_id, in_column_since, id)
    where deleted_at is null`.execute(db);
  await sql`create index tasks_of_person on tasks (assigned_to, end_time, id)
    where deleted_at is null`.execute(db);
  await sql`create index tasks_deleted on tasks (deleted_at) where deleted_at is not null`.execute(
    db,
  );
}
