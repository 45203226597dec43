import { sql } from 'kysely';
import type { ErrorCode, FieldError } from '@matterdesk/contract/errors.ts';
import type { IdempotencyKey } from '../core/idempotency-key.ts';
import { Refusal } from '../core/refusal.ts';
import type { Executor, Transaction } from './schema.ts';
import { CompiledStatement, type Slots } from './statements.ts';

export type Outcome<T> =
  | { value: T }
  | { refusal: { code: ErrorCode; message: string; errors: FieldError[] | undefined } };

const claim = new CompiledStatement((db, value: Slots<IdempotencyKey>) =>
  db
    .insertInto('idempotency_keys')
    .values({
      user_id: value('userId'),
      key: value('key'),
      fingerprint: value('fingerprint'),
      outcome: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key'),
);

const storing = new CompiledStatement((db, value: Slots<IdempotencyKey & { outcome: string }>) =>
  db
    .updateTable('idempotency_keys')
    .set({ outcome: value('outcome') })
    .where('user_id', '=', value('userId'))
    .where('key', '=', value('key')),
);

/**
 * Claims a key in the transaction of its work; a concurrent repeat waits until the first request ends.
 * @returns the outcome of the first request, or undefined when this is the first
 * @throws Refusal idempotencyKeyReused when the key belongs to another request
 */
export async function claimKey(
  trx: Transaction,
  once: IdempotencyKey,
): Promise<Outcome<unknown> | undefined> {
  if (await claim.row(trx, once)) return undefined;
  const first = await trx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'outcome'])
    .where('user_id', '=', once.userId)
    .where('key', '=', once.key)
    .executeTakeFirstOrThrow();
  if (first.fingerprint !== once.fingerprint) throw new Refusal('idempotencyKeyReused');
  return first.outcome as Outcome<unknown>;
}

/** Whether a request with the key has its outcome, which `claimKey` returns. */
export async function hasOutcome(db: Executor, { userId, key }: IdempotencyKey): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('key')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

/** Sent with the transaction's next statement. */
export async function storeOutcome(
  trx: Transaction,
  once: IdempotencyKey,
  outcome: Outcome<unknown>,
) {
  await storing.later(trx, { ...once, outcome: JSON.stringify(outcome) });
}

/** Deletes keys after 24 hours. */
export async function purgeKeys(db: Executor): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', sql<Date>`statement_timestamp() - interval '24 hours'`)
    .execute();
}
