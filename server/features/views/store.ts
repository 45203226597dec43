import { sql } from 'kysely';
import type { NewView, SavedView } from '@matterdesk/contract/views.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { lockName } from '../../db/statements.ts';

const columns = ['id', 'page', 'name', 'query'] as const;

/** Views of a user, by name. */
export function listViews(db: Executor, userId: string): Promise<SavedView[]> {
  return db
    .selectFrom('saved_views')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
}

/** Replaces a user's view of the same page and name. */
export function saveView(
  trx: Transaction,
  userId: string,
  { page, name, query }: NewView,
): Promise<SavedView> {
  return trx
    .insertInto('saved_views')
    .values({ user_id: userId, page, name, query })
    .onConflict((conflict) =>
      conflict
        .expression(sql`user_id, page, lower(name)`)
        .doUpdateSet({ name: sql<string>`excluded.name`, query: sql<string>`excluded.query` }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** @returns false for an unknown view, or another user's */
export async function deleteView(
  trx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Serializes what one user saves. */
export function lockOwner(trx: Transaction, userId: string): Promise<void> {
  return lockName(trx, `matterdesk.views${userId}`);
}

export async function countViews(db: Executor, userId: string): Promise<number> {
  const { counted } = await db
    .selectFrom('saved_views')
    .select(sql<number>`count(*)::int`.as('counted'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return counted;
}
