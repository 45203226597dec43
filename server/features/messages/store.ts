// Texts, their attachments and conversations, and how far Twilio's records were read.

import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { TextMessage } from '@matterdesk/contract/messages.ts';
import type { TextMediaTable, TextMessagesTable, TextSyncTable } from '../../db/schema-messages.ts';
import type { Executor, Scoped, Transaction } from '../../db/schema.ts';
import { lockName } from '../../db/statements.ts';

type StoredMedia = { id: string; mimeType: string };
export type TextRow = Selectable<TextMessagesTable> & { media: StoredMedia[] };

export type TextChange = Updateable<TextMessagesTable>;

const media = sql<StoredMedia[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', m.id, 'mimeType', m.mime_type) order by m.ordinal)
  from text_media m where m.message_id = text_messages.id and m.state <> 'waiting'), '[]')`;

const later = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`;

function select(db: Executor) {
  return db.selectFrom('text_messages').selectAll().select(media.as('media'));
}

/** Columns of a text on the wire. */
const wireColumns = [
  'text_messages.id',
  'text_messages.own_number',
  'text_messages.other_number',
  'text_messages.is_inbound',
  'text_messages.body',
  'text_messages.status',
  'text_messages.error_code',
  'text_messages.error_message',
  'text_messages.sent_at',
] as const;
type Column<Name> = Name extends `text_messages.${infer Column extends keyof TextRow}`
  ? Column
  : never;
type ShownRow = Pick<TextRow, Column<(typeof wireColumns)[number]> | 'media'>;

export function toText(row: ShownRow): TextMessage {
  return {
    id: row.id,
    from: row.is_inbound ? row.other_number : row.own_number,
    to: row.is_inbound ? row.own_number : row.other_number,
    body: row.body,
    dateSent: row.sent_at.toISOString(),
    status: row.status,
    error:
      row.error_message === null ? null : { code: row.error_code ?? 0, message: row.error_message },
    media: row.media.map(({ id, mimeType }) => ({ url: mediaUrl(id), mimeType })),
  };
}

function mediaUrl(id: string) {
  return `/api/v1/messages/media/${id}`;
}

/** @returns undefined when Twilio's id is stored already */
export async function insertText(
  trx: Transaction,
  row: Insertable<TextMessagesTable>,
): Promise<string | undefined> {
  const inserted = await trx
    .insertInto('text_messages')
    .values(row)
    .onConflict((conflict) => conflict.column('sid').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

export function findText(db: Executor, id: string): Promise<TextRow | undefined> {
  return select(db).where('id', '=', id).executeTakeFirst();
}

export function findTextBySid(db: Executor, sid: string): Promise<TextRow | undefined> {
  return select(db).where('sid', '=', sid).executeTakeFirst();
}

/** Locks the row until the transaction ends. */
export function lockText(trx: Transaction, id: string): Promise<TextRow | undefined> {
  return select(trx).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function updateText(trx: Transaction, id: string, change: TextChange): Promise<void> {
  await trx
    .updateTable('text_messages')
    .set({ ...change, updated_at: later })
    .where('id', '=', id)
    .execute();
}

export type Pair = { ownerId: string; other: string };

type TextPage = {
  limit: number;
  /** The [time, serial] of the previous message. */
  after?: string[] | undefined;
  /** Newest first without one. */
  order?: 'asc' | 'desc';
};

export function listTexts(
  db: Executor,
  { ownerId, other }: Pair,
  { limit, after, order = 'desc' }: TextPage,
): Promise<TextRow[]> {
  const beyond = sql<boolean>`(sent_at, serial) ${order === 'desc' ? sql`<` : sql`>`}
    (${after?.[0]}::timestamptz, ${after?.[1]}::bigint)`;
  return select(db)
    .where('owner_id', '=', ownerId)
    .where('other_number', '=', other)
    .$if(after !== undefined, (query) => query.where(beyond))
    .orderBy('sent_at', order)
    .orderBy('serial', order)
    .limit(limit)
    .execute();
}

/** The user's texts with any of these numbers, newest first. */
export async function listTextsWith(
  db: Executor,
  { ownerId, numbers }: { ownerId: string; numbers: string[] },
  limit: number,
): Promise<TextRow[]> {
  if (numbers.length === 0) return [];
  return select(db)
    .where('owner_id', '=', ownerId)
    .where('other_number', '=', sql<string>`any(${numbers})`)
    .orderBy('sent_at', 'desc')
    .orderBy('serial', 'desc')
    .limit(limit)
    .execute();
}

/** Sends with unknown outcomes and at least this age, oldest first. */
export function listUnknown(db: Executor, seconds: number): Promise<TextRow[]> {
  return select(db)
    .where('sid', 'is', null)
    .where('status', '=', 'unknown')
    .where('created_at', '<=', sql<Date>`statement_timestamp() - make_interval(secs => ${seconds})`)
    .orderBy('created_at')
    .limit(200)
    .execute();
}

/** Ids of sends that have been unfinished for this many seconds. */
export async function listCutOff(db: Executor, seconds: number): Promise<string[]> {
  const rows = await db
    .selectFrom('text_messages')
    .select('id')
    .where('sid', 'is', null)
    .where('status', '=', 'sending')
    .where('created_at', '<=', sql<Date>`statement_timestamp() - make_interval(secs => ${seconds})`)
    .limit(1000)
    .execute();
  return rows.map(({ id }) => id);
}

/** True when an unfinished send between these numbers could own a message at Twilio. */
export async function hasUnsettled(
  db: Executor,
  { own, other, body }: { own: string; other: string; body?: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('text_messages')
    .select('id')
    .where('sid', 'is', null)
    .where('status', 'in', body === undefined ? ['sending', 'unknown'] : ['sending'])
    .where('own_number', '=', own)
    .where('other_number', '=', other)
    .$if(body !== undefined, (query) => query.where('body', '=', body ?? ''))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Filters Twilio's ids to those that are stored. */
export async function knownSids(db: Executor, sids: string[]): Promise<Set<string>> {
  if (sids.length === 0) return new Set();
  const rows = await db
    .selectFrom('text_messages')
    .select('sid')
    .where('sid', 'in', sids)
    .execute();
  return new Set(rows.flatMap(({ sid }) => (sid === null ? [] : [sid])));
}

/** Ids of the day's messages that still lack Twilio's time. */
export async function listUndated(db: Executor, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('text_messages')
    .select('id')
    .where('is_dated', '=', false)
    .where('sid', 'is not', null)
    .where('created_at', '>', sql<Date>`statement_timestamp() - interval '24 hours'`)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Keeps the furthest status of a message that is not stored yet. */
export async function noteStatus(
  trx: Transaction,
  { sid, status, code }: { sid: string; status: TextRow['status']; code: number | null },
): Promise<void> {
  await trx
    .insertInto('text_statuses')
    .values({ sid, status, error_code: code })
    .onConflict((conflict) => conflict.column('sid').doUpdateSet({ status, error_code: code }))
    .execute();
}

export function findNotedStatus(db: Executor, sid: string) {
  return db.selectFrom('text_statuses').selectAll().where('sid', '=', sid).executeTakeFirst();
}

export async function forgetNotedStatus(trx: Transaction, sid: string): Promise<void> {
  await trx.deleteFrom('text_statuses').where('sid', '=', sid).execute();
}

/** Deletes old statuses of messages that were never stored. */
export async function purgeNotedStatuses(db: Executor, days: number): Promise<void> {
  await db
    .deleteFrom('text_statuses')
    .where('created_at', '<', sql<Date>`statement_timestamp() - make_interval(days => ${days})`)
    .execute();
}

/** Serializes changes of a conversation. */
export function lockConversation(trx: Transaction, { ownerId, other }: Pair): Promise<void> {
  return lockName(trx, `matterdesk.texts ${ownerId} ${other}`);
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

type ConversationRow = ShownRow & {
  unread: number;
  person: { name: string; caseId: string | null } | null;
};

/** Active cases before archived, newer before older; no case where the number fits several. */
const personBy = (party: 'client' | 'counsel') => {
  const [name, phone] = [`${party}_name`, `${party}_phone_number`].map((column) => sql.id(column));
  return sql`(
    select jsonb_build_object('name', name, 'caseId',
      case when lead(status_type) over newest is distinct from status_type then id end)
    from (
      select id, ${name} as name, status_type, serial from cases
      where phone_digits(${phone}) = c.digits order by status_type, serial desc limit 2) found
    window newest as (order by status_type, serial desc) order by status_type, serial desc limit 1)`;
};

const person = sql<
  ConversationRow['person']
>`coalesce(${personBy('client')}, ${personBy('counsel')})`;

/** The user's conversations, newest first, each with its last message and contact, in one query. */
export async function listConversations(db: Scoped, ownerId: string): Promise<ConversationRow[]> {
  const rows = await db
    .selectFrom('conversations as c')
    .innerJoin('text_messages', 'text_messages.id', 'c.last_message_id')
    .select(wireColumns)
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

type MediaRow = Selectable<TextMediaTable>;

/** Keeps the order, and existing rows unchanged. */
export async function insertMedia(
  trx: Transaction,
  messageId: string,
  media: { sid: string; mimeType: string }[],
): Promise<void> {
  if (media.length === 0) return;
  await trx
    .insertInto('text_media')
    .values(
      media.map(({ sid, mimeType }, ordinal) => ({
        message_id: messageId,
        ordinal,
        sid,
        mime_type: mimeType,
      })),
    )
    .onConflict((conflict) => conflict.columns(['message_id', 'sid']).doNothing())
    .execute();
}

/** An attachment in the user's own conversations, or of a text that is filed to a matter in scope. */
export function findMediaOf(
  db: Scoped,
  ownerId: string,
  id: string,
): Promise<MediaRow | undefined> {
  return db
    .selectFrom('text_media')
    .innerJoin('text_messages', 'text_messages.id', 'text_media.message_id')
    .selectAll('text_media')
    .where('text_media.id', '=', id)
    .where(
      sql<boolean>`(text_messages.owner_id = ${ownerId}
        or exists (select from filed_texts f where f.message_id = text_messages.id))`,
    )
    .executeTakeFirst();
}

/** Attachments due to be fetched, of one message or of all, with Twilio's id of the message. */
export function listWaitingMedia(db: Executor, messageId?: string) {
  return db
    .selectFrom('text_media')
    .innerJoin('text_messages', 'text_messages.id', 'text_media.message_id')
    .selectAll('text_media')
    .select('text_messages.sid as message_sid')
    .where('text_media.state', '=', 'waiting')
    .where('text_media.try_at', '<=', sql<Date>`statement_timestamp()`)
    .$if(messageId !== undefined, (query) =>
      query.where('text_media.message_id', '=', messageId ?? ''),
    )
    .orderBy('text_media.try_at')
    .limit(50)
    .execute();
}

/** Counts a try before it starts, so that a file that crashes the process is not retried forever. */
export async function noteTry(db: Executor, id: string, pauseSeconds: number): Promise<void> {
  await db
    .updateTable('text_media')
    .set({
      attempts: sql<number>`attempts + 1`,
      try_at: sql<Date>`clock_timestamp() + make_interval(secs => ${pauseSeconds})`,
    })
    .where('id', '=', id)
    .execute();
}

export async function updateMedia(
  trx: Transaction,
  id: string,
  change: Updateable<TextMediaTable>,
): Promise<void> {
  await trx.updateTable('text_media').set(change).where('id', '=', id).execute();
}

export type SyncRow = Selectable<TextSyncTable>;

export function readSync(db: Executor): Promise<SyncRow> {
  return db.selectFrom('text_sync').selectAll().executeTakeFirstOrThrow();
}

export async function writeSync(db: Executor, change: Updateable<TextSyncTable>): Promise<void> {
  await db.updateTable('text_sync').set(change).execute();
}
