import type { Intake } from '@matterdesk/contract/intakes.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Scoped, Transaction } from '../../db/schema.ts';
import type { IntakeRow } from './store.ts';

/** What intakes ask of conflict checks and contacts. */
export class IntakeChecks {
  /** The newest check of each intake that has one. */
  find(_db: Scoped, _ids: string[]): Promise<Map<string, NonNullable<Intake['check']>>> {
    return Promise.resolve(new Map<string, NonNullable<Intake['check']>>());
  }

  /** Whether a concluded check cleared each of the intake's names. */
  isCleared(_trx: Transaction, _intake: IntakeRow): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** @throws Refusal invalidInput for an unknown contact */
  requireContact(_trx: Transaction, _id: string): Promise<void> {
    return Promise.reject(invalidField('referredTo', 'Please select any contact'));
  }
}
