import type { Transaction } from '../../db/schema.ts';
import * as store from './store.origins.ts';

/** An intake was made of the same mail or texts meanwhile. */
export class MadeBefore extends Error {}

/** Until the transaction ends no other makes one. @throws MadeBefore */
export async function requireUnmade(trx: Transaction, origin: store.Origin): Promise<void> {
  await store.lockOrigin(trx, origin);
  if ((await store.findMade(trx, origin)) !== undefined) throw new MadeBefore();
}
