import { sql, type Selectable, type Updateable } from 'kysely';
import type { Executor, Transaction } from '../../../db/schema.ts';
import type { TextMediaTable } from '../../../db/schema-messages.ts';

export type MediaRow = Selectable<TextMediaTable>;

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

/** An attachment in the user's own conversations. */
export function findMediaOf(
  db: Executor,
  ownerId: string,
  id: string,
): Promise<MediaRow | undefined> {
  return db
    .selectFrom('text_media')
    .innerJoin('text_messages', 'text_messages.id', 'text_media.message_id')
    .selectAll('text_media')
    .where('text_media.id', '=', id)
    .where('text_messages.owner_id', '=', ownerId)
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
    .where('text_media.try_at', '<=', sql<Date>`clock_timestamp()`)
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
