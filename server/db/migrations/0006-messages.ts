import { sql, type Kysely } from 'kysely';

/** Users' phone numbers, their texts, recipients' consents, and the state of the sync with Twilio. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createNumbers(db);
  await createTexts(db);
  await createConsents(db);
  await createMedia(db);
  await createSync(db);
  await indexPhones(db);
}

async function createNumbers(db: Kysely<unknown>) {
  await sql`
    create table phone_numbers (
      -- Part of the number's friendly name at Twilio, to find a purchase that a crash interrupted.
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id),
      phone_number text not null,
      sid text unique,
      state text not null check (state in ('buying', 'owned', 'failed')),
      -- Why it failed, as the buyer saw it: a code of the contract and a sentence.
      refused_as text,
      refusal text,
      -- The latest result of texts to the US: true when delivered, false when refused without registration.
      is_registered boolean,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create unique index phone_numbers_one_each on phone_numbers (user_id)
    where state <> 'failed'`.execute(db);
  await sql`create unique index phone_numbers_one_owner on phone_numbers (phone_number)
    where state <> 'failed'`.execute(db);
}

async function createTexts(db: Kysely<unknown>) {
  await sql`
    create table text_messages (
      id uuid primary key default gen_random_uuid(),
      -- In the order of arrival, because Twilio's times are whole seconds.
      serial bigint generated always as identity,
      -- Null when the number had no owner at the time of the text.
      owner_id uuid references users (id),
      own_number text not null,
      other_number text not null,
      is_inbound boolean not null,
      body text not null,
      sid text unique,
      status text not null,
      error_code int,
      error_message text,
      -- The refusal that the sender saw: a code of the contract and a sentence.
      refused_as text,
      refusal text,
      sent_at timestamptz(3) not null default clock_timestamp(),
      -- Whether sent_at comes from Twilio's own record.
      is_dated boolean not null default false,
      is_unread boolean not null default false,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index text_messages_of_pair
    on text_messages (owner_id, other_number, sent_at desc, serial desc)`.execute(db);
  await sql`create index text_messages_unread on text_messages (owner_id, other_number)
    where is_unread`.execute(db);
  await sql`create index text_messages_unsettled on text_messages (created_at)
    where status in ('sending', 'unknown') and sid is null`.execute(db);
  await sql`create index text_messages_undated on text_messages (created_at)
    where not is_dated and sid is not null`.execute(db);
  await sql`
    create table conversations (
      owner_id uuid not null references users (id),
      other_number text not null,
      last_message_id uuid not null references text_messages (id),
      last_at timestamptz(3) not null,
      unread int not null,
      primary key (owner_id, other_number)
    )`.execute(db);
  await sql`create index conversations_newest
    on conversations (owner_id, last_at desc, other_number)`.execute(db);
  // Statuses that arrive before their message.
  await sql`
    create table text_statuses (
      sid text primary key,
      status text not null,
      error_code int,
      created_at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
}

async function createConsents(db: Kysely<unknown>) {
  await sql`
    create table text_consents (
      id bigint generated always as identity primary key,
      own_number text not null,
      other_number text not null,
      keyword text not null check (keyword in ('STOP', 'START', 'HELP')),
      -- The word as received; null when it is known from a refusal by Twilio.
      word text,
      sid text unique,
      at timestamptz(3) not null default clock_timestamp()
    )`.execute(db);
  await sql`create index text_consents_of_pair
    on text_consents (own_number, other_number, id)`.execute(db);
  await sql`create trigger text_consents_stay
    before update or delete or truncate on text_consents
    for each statement execute function refuse_change()`.execute(db);
}

async function createMedia(db: Kysely<unknown>) {
  await sql`
    create table text_media (
      -- Also the key of the stored bytes.
      id uuid primary key default gen_random_uuid(),
      message_id uuid not null references text_messages (id),
      ordinal int not null,
      sid text not null,
      mime_type text not null,
      size bigint,
      state text not null default 'waiting' check (state in ('waiting', 'kept', 'lost')),
      attempts int not null default 0,
      try_at timestamptz(3) not null default clock_timestamp(),
      unique (message_id, sid)
    )`.execute(db);
  await sql`create index text_media_waiting on text_media (try_at) where state = 'waiting'`.execute(
    db,
  );
}

/** A single row: the progress of fetching missed texts from Twilio. */
async function createSync(db: Kysely<unknown>) {
  await sql`
    create table text_sync (
      is_only boolean primary key default true check (is_only),
      holder text,
      held_until timestamptz not null default clock_timestamp(),
      -- All texts sent before this time are stored.
      complete_until timestamptz,
      -- A fetch in several parts: its start, and how far back it has come.
      look_from timestamptz,
      look_back_to timestamptz,
      looked_at timestamptz
    )`.execute(db);
  await sql`insert into text_sync default values`.execute(db);
}

/** Numbers in cases are free text, so they are found by the digits that Twilio would call. */
async function indexPhones(db: Kysely<unknown>) {
  await sql`
    create function phone_digits(written text) returns text
    language sql immutable strict parallel safe as $$
      select case
        when bare ~ '^\\+' then digits
        when digits ~ '^00' then substr(digits, 3)
        when digits ~ '^011' then substr(digits, 4)
        when length(digits) = 10 then '1' || digits
        else digits end
      from (select bare, regexp_replace(bare, '[^0-9]', '', 'g') as digits
        from (select regexp_replace(
          replace(trim(written), '(0)', ''), '[[:space:],;]*(x|ext|#).*$', '', 'i') as bare) b) d
    $$`.execute(db);
  await sql`create index cases_by_client_phone
    on cases (phone_digits(client_phone_number))`.execute(db);
  await sql`create index cases_by_counsel_phone
    on cases (phone_digits(counsel_phone_number))`.execute(db);
}
