import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { TextMessage } from '@matterdesk/contract/messages.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import type { TextMessagesTable } from '../../db/schema-messages.ts';

type Kept = { id: string; mimeType: string };
export type TextRow = Selectable<TextMessagesTable> & { media: Kept[] };

export type TextChange = Updateable<TextMessagesTable>;

const media = sql<Kept[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', m.id, 'mimeType', m.mime_type) order by m.ordinal)
  from text_media m where m.message_id = text_messages.id and m.state <> 'waiting'), '[]')`;

const later = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`;

function select(db: Executor) {
  return db.selectFrom('text_messages').selectAll().select(media.as('media'));
}

/** Columns of a text that the wire needs. */
export const shown = [
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
export type ShownRow = Pick<TextRow, Column<(typeof shown)[number]> | 'media'>;

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

/** Newest first; `after` is the [time, serial] of the previous message. */
export function listTexts(
  db: Executor,
  { ownerId, other }: Pair,
  { limit, after }: { limit: number; after?: string[] | undefined },
): Promise<TextRow[]> {
  return select(db)
    .where('owner_id', '=', ownerId)
    .where('other_number', '=', other)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(sent_at, serial) < (${after?.[0]}::timestamptz, ${after?.[1]}::bigint)`,
      ),
    )
    .orderBy('sent_at', 'desc')
    .orderBy('serial', 'desc')
    .limit(limit)
    .execute();
}

/** With any of several numbers, newest first. */
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

/** Oldest first; `after` is the [time, serial] of the previous message. */
export function listTextsAscending(
  db: Executor,
  { ownerId, other }: Pair,
  { limit, after }: { limit: number; after?: string[] | undefined },
): Promise<TextRow[]> {
  return select(db)
    .where('owner_id', '=', ownerId)
    .where('other_number', '=', other)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(sent_at, serial) > (${after?.[0]}::timestamptz, ${after?.[1]}::bigint)`,
      ),
    )
    .orderBy('sent_at')
    .orderBy('serial')
    .limit(limit)
    .execute();
}

/** Sends with unknown outcomes and at least this age, oldest first. */
export function listUnknown(db: Executor, seconds: number): Promise<TextRow[]> {
  return select(db)
    .where('sid', 'is', null)
    .where('status', '=', 'unknown')
    .where('created_at', '<=', sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`)
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
    .where('created_at', '<=', sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`)
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
    .where('created_at', '>', sql<Date>`clock_timestamp() - interval '24 hours'`)
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
    .where('created_at', '<', sql<Date>`clock_timestamp() - make_interval(days => ${days})`)
    .execute();
}
