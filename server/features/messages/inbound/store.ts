import { sql, type Selectable, type Updateable } from 'kysely';
import type { Executor } from '../../../db/schema.ts';
import type { TextSyncTable } from '../../../db/schema-messages.ts';

export type SyncRow = Selectable<TextSyncTable>;

/** @returns false while another process is at it */
export async function holdSync(db: Executor, holder: string, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('text_sync')
    .set({
      holder,
      held_until: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
    })
    .where((eb) =>
      eb.or([
        eb('holder', '=', holder),
        eb('held_until', '<', sql<Date>`clock_timestamp()`),
        eb('holder', 'is', null),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function releaseSync(db: Executor): Promise<void> {
  await db.updateTable('text_sync').set({ holder: null }).execute();
}

export function readSync(db: Executor): Promise<SyncRow> {
  return db.selectFrom('text_sync').selectAll().executeTakeFirstOrThrow();
}

export async function writeSync(db: Executor, change: Updateable<TextSyncTable>): Promise<void> {
  await db.updateTable('text_sync').set(change).execute();
}

/** When the first number was bought; undefined while nobody has one. */
export async function firstPurchase(db: Executor): Promise<Date | undefined> {
  const { first } = await db
    .selectFrom('phone_numbers')
    .select((eb) => eb.fn.min('created_at').as('first'))
    .where('state', '=', 'owned')
    .executeTakeFirstOrThrow();
  return first ?? undefined;
}
