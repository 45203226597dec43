import { sql, type Selectable } from 'kysely';
import type { MailUploadsTable, OutgoingMailsTable } from '../../../db/schema-mails.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';

export type OutgoingRow = Selectable<OutgoingMailsTable>;
export type UploadRow = Selectable<MailUploadsTable>;

/** Lifetimes of an unsent upload in hours, and of the outcome of a send in days. */
const UPLOAD_HOURS = 24;
const OUTGOING_DAYS = 2;
/** Uploads deleted per sweep. */
const MAX_SWEPT = 500;

export async function insertOutgoing(trx: Transaction, userId: string): Promise<string> {
  const { id } = await trx
    .insertInto('outgoing_mails')
    .values({ user_id: userId, state: 'sending', refused_as: null, refusal: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export function findOutgoing(db: Executor, id: string): Promise<OutgoingRow | undefined> {
  return db.selectFrom('outgoing_mails').selectAll().where('id', '=', id).executeTakeFirst();
}

/** True for the caller that may retry a mail that never left. */
export async function claimRetry(db: Executor, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outgoing_mails')
    .set({ state: 'sending', refused_as: null, refusal: null })
    .where('id', '=', id)
    .where('state', '=', 'postponed')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

type SettledState = Pick<OutgoingRow, 'state'> &
  Partial<Pick<OutgoingRow, 'refused_as' | 'refusal'>>;

export async function settleOutgoing(
  db: Executor,
  id: string,
  settled: SettledState,
): Promise<void> {
  await db.updateTable('outgoing_mails').set(settled).where('id', '=', id).execute();
}

export async function purgeOutgoing(db: Executor): Promise<void> {
  await db
    .deleteFrom('outgoing_mails')
    .where(
      'created_at',
      '<',
      sql<Date>`statement_timestamp() - make_interval(days => ${OUTGOING_DAYS})`,
    )
    .execute();
}

type NewUpload = Pick<UploadRow, 'user_id' | 'name' | 'blob_key'> & { size: number };

/** Inserted before the bytes are written, so that a sweep finds them after a crash; `size` is reserved until then. */
export async function insertUpload(db: Executor, upload: NewUpload): Promise<string> {
  const { id } = await db
    .insertInto('mail_uploads')
    .values(upload)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds bytes to what an unfinished upload may bring. */
export async function reserveMore(trx: Transaction, id: string, bytes: number): Promise<void> {
  await trx
    .updateTable('mail_uploads')
    .set({ size: sql<number>`size + ${bytes}` })
    .where('id', '=', id)
    .execute();
}

export async function finishUpload(db: Executor, id: string, size: number): Promise<void> {
  await db.updateTable('mail_uploads').set({ size, is_whole: true }).where('id', '=', id).execute();
}

const isUnexpired = sql<boolean>`created_at > statement_timestamp() - make_interval(hours => ${UPLOAD_HOURS})`;

/** The user's own complete and unexpired upload. */
export function findUpload(
  db: Executor,
  { userId, id }: { userId: string; id: string },
): Promise<UploadRow | undefined> {
  return db
    .selectFrom('mail_uploads')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('is_whole', '=', true)
    .where(isUnexpired)
    .executeTakeFirst();
}

export function listOldUploads(db: Executor): Promise<Pick<UploadRow, 'id' | 'blob_key'>[]> {
  return db
    .selectFrom('mail_uploads')
    .select(['id', 'blob_key'])
    .where(sql<boolean>`not (${isUnexpired})`)
    .limit(MAX_SWEPT)
    .execute();
}

export async function deleteUpload(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('mail_uploads').where('id', '=', id).execute();
}

/** Empty without one. */
export async function findSignature(db: Executor, userId: string): Promise<string> {
  const row = await db
    .selectFrom('mail_signatures')
    .select('text')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.text ?? '';
}

export async function putSignature(trx: Transaction, userId: string, text: string): Promise<void> {
  await trx
    .insertInto('mail_signatures')
    .values({ user_id: userId, text })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ text }))
    .execute();
}
