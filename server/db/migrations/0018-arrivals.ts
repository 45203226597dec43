import { type Kysely, sql } from 'kysely';

/**
 * Mails and texts in the tray, each its reader's alone. They have no bytes of their own: a text is in its conversation, a
 * mail stays at Google, and only what lists it is kept, until it is filed or dismissed.
 */
const statements = [
  sql`
    alter table tray_items
      drop constraint tray_items_source_check,
      add constraint tray_items_source_check check (source in ('mail', 'text', 'upload', 'scan')),
      alter column sha256 drop not null,
      alter column blob_key drop not null,
      add column message_id uuid references text_messages (id) on delete cascade,
      add column mail_id text,
      add column thread_id text,
      add column sender jsonb,
      -- The sender's address or number, as the keys of contacts have it.
      add column sender_key text,
      add constraint tray_items_letters check ((source in ('mail', 'text')) = (sender_key is not null)),
      add constraint tray_items_papers check ((source in ('upload', 'scan')) = (blob_key is not null)),
      add constraint tray_items_owned check (sender_key is null or owner_id is not null)`,
  sql`create unique index tray_items_of_message on tray_items (message_id)
    where message_id is not null`,
  sql`create unique index tray_items_of_mail on tray_items (owner_id, mail_id)
    where mail_id is not null`,
  sql`create index tray_items_of_sender on tray_items (owner_id, sender_key)
    where state = 'open' and sender_key is not null`,
  // The stream of a matter has the mails of its parties.
  sql`create index tray_items_of_mails on tray_items (sender_key, at desc, id desc)
    where source = 'mail'`,
  // A reply finds the matter of its thread.
  sql`alter table filed_mails add column thread_id text`,
  sql`create index filed_mails_of_thread on filed_mails (user_id, thread_id)
    where thread_id is not null`,
  sql`
    create function is_known_sender(asked text) returns boolean language sql stable as $$
      select exists (select from base.contacts k where k.keys @> array[asked])
        or exists (select from base.contact_sources s where s.is_walled and s.keys @> array[asked]) $$`,
  // Counts for one user are made in another's transaction.
  sql`
    create function is_correspondent(reader uuid, asked text) returns boolean language sql stable as $$
      select exists (
        select from base.contacts k
          join base.parties p on p.contact_id = k.id
          join base.cases c on c.id = p.case_id
        where k.keys @> array[asked] and c.status_type = 'Active' and base.sees_case(reader, c.id))
      or exists (
        select from base.contact_sources s join base.cases c on c.id = s.case_id
        where s.is_walled and s.keys @> array[asked] and c.status_type = 'Active'
          and base.sees_case(reader, c.id)) $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
