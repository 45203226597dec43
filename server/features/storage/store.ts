import { CompiledQuery, sql } from 'kysely';
import { sendLater } from '../../db/connection.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import type { StorageUse } from './rules.ts';

const LOCK = CompiledQuery.raw(
  "select pg_advisory_xact_lock(hashtext('matterdesk.storage'))::text",
);

/** Serializes the admission of uploads, over all processes, until the transaction ends; sent with its next statement. */
export async function lockAdmissions(trx: Transaction): Promise<void> {
  await sendLater(trx, LOCK);
}

/** Bytes in use, uploads of imports too; attachments of mails and packed matters count from their beginning. */
export async function readUse(db: Executor): Promise<StorageUse> {
  const { rows } = await sql<StorageUse>`
    select
      (select coalesce(sum(files + trash), 0) from storage_use)::float8
        - (select coalesce(sum(size), 0) from mail_uploads where not is_whole)::float8
        + (select ready from pack_use)
        + (select coalesce(sum(size), 0) from import_uploads)::float8 as used,
      (select coalesce(sum(reserved), 0) from pending_blobs where reserved > 0)::float8
        + (select coalesce(sum(size), 0) from mail_uploads where not is_whole)::float8
        + (select under_way from pack_use) as "underWay"`.execute(db);
  return rows[0] ?? { used: 0, underWay: 0 };
}

export async function readTrash(db: Executor): Promise<number> {
  const { trash } = await db
    .selectFrom('storage_use')
    .select(sql<number>`coalesce(sum(trash), 0)::float8`.as('trash'))
    .executeTakeFirstOrThrow();
  return trash;
}

/** Users who store anything, the most first. */
export async function listPeople(db: Executor) {
  const rows = await db
    .selectFrom('storage_use')
    .innerJoin('users', 'users.id', 'storage_use.user_id')
    .select(['users.id', 'users.first_name', 'users.last_name'])
    .select(sql<number>`sum(files + trash)::float8`.as('used'))
    .groupBy('users.id')
    .having(sql<boolean>`sum(files + trash) > 0`)
    .orderBy('used', 'desc')
    .orderBy('users.id')
    .execute();
  return rows.map(({ id, first_name: firstName, last_name: lastName, used }) => ({
    person: { id, firstName, lastName },
    used,
  }));
}
