import { sql } from 'kysely';
import { contentUrl } from '@matterdesk/contract/files.ts';
import type { FiledMail } from '@matterdesk/contract/mails.ts';
import type { Scoped, Transaction } from '../../../db/schema.ts';
import { lockName } from '../../../db/statements.ts';

/** A mail of a user's mailbox. */
export type OwnMail = { userId: string; mailId: string };

/** Cases the mail is filed in that the user may see, oldest first. */
export async function listFiled(db: Scoped, { userId, mailId }: OwnMail): Promise<FiledMail[]> {
  return (await listFiledOf(db, userId, [mailId])).get(mailId) ?? [];
}

/** The same for several mails of a user, by the mail's id. */
export async function listFiledOf(
  db: Scoped,
  userId: string,
  mailIds: readonly string[],
): Promise<Map<string, FiledMail[]>> {
  const rows = await db
    .selectFrom('filed_mails as m')
    .innerJoin('files', 'files.id', 'm.file_id')
    .innerJoin('folders', 'folders.id', 'files.folder_id')
    .innerJoin('cases', 'cases.id', 'files.case_id')
    .select(['m.mail_id as mailId', 'cases.id as caseId', 'cases.case_name as caseName'])
    .select(['m.filed_at as at', 'folders.name as folder', 'files.name as name'])
    .where('m.user_id', '=', userId)
    .where('m.mail_id', 'in', [...mailIds])
    .where('files.deleted_at', 'is', null)
    .orderBy('m.filed_at')
    .orderBy('files.id')
    .execute();
  const byMail = Map.groupBy(rows, ({ mailId }) => mailId);
  const toFiled = ({ caseId, caseName, folder, name, at }: (typeof rows)[number]): FiledMail => ({
    case: { id: caseId, caseName },
    url: contentUrl(caseId, folder, name),
    at: at.toISOString(),
  });
  return new Map([...byMail].map(([mailId, of]) => [mailId, of.map(toFiled)]));
}

/** The case in which another mail of the thread was filed last, and this one is not. */
export async function findThreadPlace(
  db: Scoped,
  { userId, mailId, threadId }: OwnMail & { threadId: string },
): Promise<{ id: string; caseName: string } | undefined> {
  const filed = db
    .selectFrom('filed_mails as m')
    .innerJoin('files', 'files.id', 'm.file_id')
    .where('m.user_id', '=', userId)
    .where('files.deleted_at', 'is', null);
  return filed
    .innerJoin('cases', 'cases.id', 'files.case_id')
    .select(['cases.id', 'cases.case_name as caseName'])
    .where('m.thread_id', '=', threadId)
    .where('m.mail_id', '<>', mailId)
    .where('cases.id', 'not in', filed.select('files.case_id').where('m.mail_id', '=', mailId))
    .orderBy('m.filed_at', 'desc')
    .orderBy('files.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Serializes filing a mail. */
export function lockFiling(trx: Transaction, { userId, mailId }: OwnMail): Promise<void> {
  return lockName(trx, `matterdesk.filing ${userId} ${mailId}`);
}

/** @param blobKey the key of the mail's file */
export async function insertFiled(
  trx: Transaction,
  { userId, mailId, threadId }: OwnMail & { threadId: string },
  blobKey: string,
): Promise<void> {
  await trx
    .insertInto('filed_mails')
    .columns(['user_id', 'mail_id', 'thread_id', 'file_id'])
    .expression((from) =>
      from
        .selectFrom('files')
        .select([sql<string>`${userId}::uuid`.as('user_id'), sql<string>`${mailId}`.as('mail_id')])
        .select(sql<string>`${threadId}`.as('thread_id'))
        .select('files.id as file_id')
        .where('blob_key', '=', blobKey),
    )
    .execute();
}
