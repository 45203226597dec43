// The sessions of a user.

import { type Selectable, sql } from 'kysely';
import type { SessionsTable } from '../../../db/schema-accounts.ts';
import type { Executor, Transaction } from '../../../db/schema.ts';
import type { SessionTerms } from '../../../db/sessions.ts';

export type SessionRow = Omit<Selectable<SessionsTable>, 'token_hash' | 'user_id'>;

/** A user's valid sessions, the latest use first. */
export function listSessions(
  db: Executor,
  userId: string,
  { idle, life }: SessionTerms,
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'address', 'agent'])
    .where('user_id', '=', userId)
    .where('last_seen_at', '>', past(idle))
    .where('created_at', '>', past(life))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}

const past = (milliseconds: number) =>
  sql<Date>`clock_timestamp() - make_interval(secs => ${milliseconds / 1000})`;

/** @returns whether the user had this session */
export async function deleteSession(trx: Transaction, userId: string, id: string) {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
