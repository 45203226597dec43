import { sql, type RawBuilder } from 'kysely';

/** Users' phone numbers, their texts, recipients' consents, and the state of the sync with Twilio. */
export const messages: RawBuilder<unknown>[] = [
  sql`
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
      updated_at timestamptz(3) not null default clock_timestamp(),
      -- With US carriers according to Twilio, with Twilio's own reason for a rejection, and when it was last checked.
      registration text
              check (registration in ('registered', 'inReview', 'rejected', 'missing')),
      registration_reason text,
      registration_asked_at timestamptz(3)
    )`,
  sql`create unique index phone_numbers_one_each on phone_numbers (user_id)
    where state <> 'failed'`,
  sql`create unique index phone_numbers_one_owner on phone_numbers (phone_number)
    where state <> 'failed'`,
  sql`
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
    )`,
  sql`create index text_messages_of_pair
    on text_messages (owner_id, other_number, sent_at desc, serial desc)`,
  sql`create index text_messages_unread on text_messages (owner_id, other_number)
    where is_unread`,
  sql`create index text_messages_unsettled on text_messages (created_at)
    where status in ('sending', 'unknown') and sid is null`,
  sql`create index text_messages_undated on text_messages (created_at)
    where not is_dated and sid is not null`,
  sql`
    create table conversations (
      owner_id uuid not null references users (id),
      other_number text not null,
      last_message_id uuid not null references text_messages (id),
      last_at timestamptz(3) not null,
      unread int not null,
      digits text
              generated always as (case when other_number like '+%' then substr(other_number, 2) end) stored,
      primary key (owner_id, other_number)
    )`,
  sql`create index conversations_newest
    on conversations (owner_id, last_at desc, other_number)`,
  // Statuses that arrive before their message.
  sql`
    create table text_statuses (
      sid text primary key,
      status text not null,
      error_code int,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`
    create table text_consents (
      id bigint generated always as identity primary key,
      own_number text not null,
      other_number text not null,
      keyword text not null check (keyword in ('STOP', 'START', 'HELP')),
      -- The word as received; null when it is known from a refusal by Twilio.
      word text,
      sid text unique,
      at timestamptz(3) not null default clock_timestamp()
    )`,
  sql`create index text_consents_of_pair
    on text_consents (own_number, other_number, id)`,
  sql`create trigger text_consents_stay
    before update or delete or truncate on text_consents
    for each statement execute function refuse_change()`,
  sql`
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
    )`,
  sql`create index text_media_waiting on text_media (try_at) where state = 'waiting'`,
  sql`
    create function count_text_media() returns trigger language plpgsql as $$ begin
      insert into storage_use
        select owner_id, coalesce(new.size, 0) - coalesce(old.size, 0), 0 from text_messages
        where id = new.message_id;
      return null;
    end $$`,
  sql`
    create trigger text_media_count after update of size on text_media
      for each row when (old.size is distinct from new.size)
      execute function count_text_media()`,
  // A single row: the progress of fetching missed texts from Twilio.
  sql`
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
    )`,
  sql`insert into text_sync default values`,
];
