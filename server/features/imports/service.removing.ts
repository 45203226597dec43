// Removes records in one statement, or each by itself where something refers to one of them.

import { isForeignKeyViolation } from '../../core/database-errors.ts';
import { tryPart } from '../../db/savepoint.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Reason } from './service.kinds.ts';

type Removing = {
  /** Why a record stays to which something refers. */
  reason: Reason;
  remove: (ids: readonly string[]) => Promise<void>;
};

/** @returns those that stay */
export async function removeEach(
  { trx }: Unit,
  ids: readonly string[],
  { reason, remove }: Removing,
): Promise<Map<string, Reason>> {
  const left = new Map<string, Reason>();
  const isRemoved = (some: readonly string[]) =>
    tryPart(trx, isForeignKeyViolation, () => remove(some));
  if (ids.length === 0 || (await isRemoved(ids))) return left;
  for (const id of ids) if (!(await isRemoved([id]))) left.set(id, reason);
  return left;
}
