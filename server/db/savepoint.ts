import { CompiledQuery } from 'kysely';
import type { Transaction } from './schema.ts';

const SAVEPOINT = CompiledQuery.raw('savepoint trial');
const RELEASE = CompiledQuery.raw('release savepoint trial');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint trial');

/**
 * Does a part of a transaction, or none of it where it fails as expected. Trials do not nest.
 * @returns whether it was done
 */
export async function tryPart(
  trx: Transaction,
  isExpected: (error: unknown) => boolean,
  work: () => Promise<void>,
): Promise<boolean> {
  await trx.executeQuery(SAVEPOINT);
  try {
    await work();
    await trx.executeQuery(RELEASE);
    return true;
  } catch (error) {
    if (!isExpected(error)) throw error;
    await trx.executeQuery(ROLLBACK);
    return false;
  }
}
