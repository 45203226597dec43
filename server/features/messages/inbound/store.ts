import type { Selectable, Updateable } from 'kysely';
import type { Executor } from '../../../db/schema.ts';
import type { TextSyncTable } from '../../../db/schema-messages.ts';

export type SyncRow = Selectable<TextSyncTable>;

export function readSync(db: Executor): Promise<SyncRow> {
  return db.selectFrom('text_sync').selectAll().executeTakeFirstOrThrow();
}

export async function writeSync(db: Executor, change: Updateable<TextSyncTable>): Promise<void> {
  await db.updateTable('text_sync').set(change).execute();
}

/** Time of the first purchase of a number. */
export async function firstPurchase(db: Executor): Promise<Date | undefined> {
  const { first } = await db
    .selectFrom('phone_numbers')
    .select((eb) => eb.fn.min('created_at').as('first'))
    .where('state', '=', 'owned')
    .executeTakeFirstOrThrow();
  return first ?? undefined;
}
