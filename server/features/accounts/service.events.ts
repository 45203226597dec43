import type { Person } from '@matterdesk/contract/cases.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { UserRow } from './store.ts';

/** What a user did to the account of another. */
export type AccountAct =
  | 'linkCreated'
  | 'passwordSet'
  | 'factorRemoved'
  | 'deactivated'
  | 'reactivated'
  | 'rightsChanged';
export type Handled = { person: UserRow; by: Person; act: AccountAct };

type Handling = (unit: Unit, handled: Handled) => Promise<void>;
/** @param since when someone else's link had set the password that ends now */
type Recovery = (unit: Unit, userId: string, since: Date) => Promise<void>;

/** Other features follow, in the transaction, what is done to accounts. */
export class AccountEvents {
  readonly #handlings: Handling[] = [];
  readonly #recoveries: Recovery[] = [];

  onHandled(follow: Handling): void {
    this.#handlings.push(follow);
  }

  /** A new password ends what may have been set up with the one that came by someone else's link. */
  onRecovery(follow: Recovery): void {
    this.#recoveries.push(follow);
  }

  /** Nothing is reported to a user about what they did themselves. */
  async handled(unit: Unit, handled: Handled): Promise<void> {
    if (handled.person.id === handled.by.id) return;
    for (const follow of this.#handlings) await follow(unit, handled);
  }

  async recovered(unit: Unit, userId: string, since: Date): Promise<void> {
    for (const follow of this.#recoveries) await follow(unit, userId, since);
  }
}
