import { sql } from 'kysely';
import type { Executor } from '../../db/schema.ts';
import type { Limit, Past } from './rules.attempts.ts';

/**
 * Records an attempt before it runs, so that parallel attempts cannot pass together.
 * @returns its id, for removing it, or the seconds until the next one is admitted
 */
export async function takeRoom(
  db: Executor,
  limit: Limit,
): Promise<{ id: string } | { wait: number }> {
  const { id } = await db
    .insertInto('attempts')
    .values({ key: limit.key })
    .returning('id')
    .executeTakeFirstOrThrow();
  const wait = limit.waitAfter(await readPast(db, limit, id));
  if (wait <= 0) return { id };
  await forgetAttempt(db, id);
  return { wait };
}

async function readPast(db: Executor, { key, windowMs }: Limit, own?: string): Promise<Past> {
  const seconds = windowMs / 1000;
  const past = await db
    .selectFrom('attempts')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`extract(epoch from clock_timestamp() - max(at))::float8`.as('sinceLast'),
      sql<number>`extract(epoch from min(at) - clock_timestamp())::float8 + ${seconds}`.as(
        'untilFewer',
      ),
    ])
    .where('key', '=', key)
    .$if(own !== undefined, (query) => query.where('id', '!=', own ?? ''))
    .where('at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`)
    .executeTakeFirstOrThrow();
  return past;
}

/** Those of a key within its window. */
export async function countAttempts(db: Executor, limit: Limit): Promise<number> {
  return (await readPast(db, limit)).count;
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
