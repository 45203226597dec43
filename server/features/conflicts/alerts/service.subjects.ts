import type { Transaction } from '../../../db/schema.ts';
import * as store from './store.ts';

/** Lets a new case wait for its check, which the next round makes. */
export async function awaitCheck(trx: Transaction, caseId: string, by: string): Promise<void> {
  await store.addUnchecked(trx, caseId, by);
}

/** For an intake that is erased: its alerts, and those that found it. */
export async function forgetAlerts(trx: Transaction, intakeId: string): Promise<void> {
  await store.deleteOfIntake(trx, intakeId);
}
