import { sql } from 'kysely';
import type { Executor } from '../../db/schema.ts';

/** Attempts by key and window, in the database so that all processes share the count. */
export type Limit = { key: string; most: number; windowMs: number };

/**
 * Records an attempt before it runs, so that parallel attempts cannot pass together.
 * @returns its id, for removing it, or the seconds until the next free slot
 */
export async function takeRoom(
  db: Executor,
  limit: Limit,
): Promise<{ id: string } | { wait: number }> {
  const id = await noteAttempt(db, limit.key);
  const wait = await secondsUntilRoom(db, { ...limit, most: limit.most + 1 });
  if (wait === undefined) return { id };
  await forgetAttempt(db, id);
  return { wait };
}

async function noteAttempt(db: Executor, key: string): Promise<string> {
  const { id } = await db
    .insertInto('attempts')
    .values({ key })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Undefined while a slot is free. */
async function secondsUntilRoom(
  db: Executor,
  { key, most, windowMs }: Limit,
): Promise<number | undefined> {
  const blocking = await db
    .selectFrom('attempts')
    .select(
      sql<number>`extract(epoch from at - clock_timestamp())::float8 + ${windowMs / 1000}`.as(
        'wait',
      ),
    )
    .where('key', '=', key)
    .where('at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${windowMs / 1000})`)
    .orderBy('at', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return blocking ? Math.max(1, blocking.wait) : undefined;
}

export async function forgetAttempt(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('attempts').where('id', '=', id).execute();
}

export async function forgetAttempts(db: Executor, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute();
}

export async function purgeAttempts(db: Executor, windowMs: number): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${windowMs / 1000})`)
    .execute();
}
