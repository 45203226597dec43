import { sql } from 'kysely';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { shown, type Pair, type ShownRow } from './store.ts';

/** Serializes changes of a conversation. */
export async function lockConversation(trx: Transaction, { ownerId, other }: Pair): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`matterdesk.texts ${ownerId} ${other}`}, 0))`.execute(
    trx,
  );
}

/** Updates the conversation's row in the list from its messages. Needs the lock. */
export async function refreshConversation(trx: Transaction, { ownerId, other }: Pair) {
  await sql`
    insert into conversations (owner_id, other_number, last_message_id, last_at, unread)
    select owner_id, other_number, id, sent_at,
      (select count(*) from text_messages u
        where u.owner_id = ${ownerId} and u.other_number = ${other} and u.is_unread)
    from text_messages where owner_id = ${ownerId} and other_number = ${other}
    order by sent_at desc, serial desc limit 1
    on conflict (owner_id, other_number) do update
      set last_message_id = excluded.last_message_id, last_at = excluded.last_at,
        unread = excluded.unread`.execute(trx);
}

/** @returns false when nothing was unread */
export async function markRead(trx: Transaction, { ownerId, other }: Pair): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('text_messages')
    .set({ is_unread: false })
    .where('owner_id', '=', ownerId)
    .where('other_number', '=', other)
    .where('is_unread', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function hasUnread(db: Executor, { ownerId, other }: Pair): Promise<boolean> {
  const found = await db
    .selectFrom('conversations')
    .select('unread')
    .where('owner_id', '=', ownerId)
    .where('other_number', '=', other)
    .executeTakeFirst();
  return (found?.unread ?? 0) > 0;
}

export type ConversationRow = ShownRow & {
  unread: number;
  person: { name: string; caseId: string } | null;
};

// Clients before opposing counsel, active cases before archived, newer before older.
const person = sql<{ name: string; caseId: string } | null>`coalesce(
  (select jsonb_build_object('name', client_name, 'caseId', id) from cases
    where phone_digits(client_phone_number) = c.digits order by status_type, serial desc limit 1),
  (select jsonb_build_object('name', counsel_name, 'caseId', id) from cases
    where phone_digits(counsel_phone_number) = c.digits order by status_type, serial desc limit 1))`;

/** The user's conversations, newest first, each with its last message and contact, in one query. */
export async function listConversations(db: Scoped, ownerId: string): Promise<ConversationRow[]> {
  const rows = await db
    .selectFrom('conversations as c')
    .innerJoin('text_messages', 'text_messages.id', 'c.last_message_id')
    .select(shown)
    .select([
      'c.unread',
      person.as('person'),
      sql<ShownRow['media'] | null>`(
        select jsonb_agg(jsonb_build_object('id', m.id, 'mimeType', m.mime_type) order by m.ordinal)
        from text_media m where m.message_id = text_messages.id and m.state <> 'waiting')`.as(
        'media',
      ),
    ])
    .where('c.owner_id', '=', ownerId)
    .orderBy('c.last_at', 'desc')
    .orderBy('text_messages.serial', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, media: row.media ?? [] }));
}
