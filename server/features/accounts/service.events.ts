import type { Person } from '@matterdesk/contract/cases.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Letter } from '../../integrations/smtp/mailer.ts';
import { describeAct, describeToUser, writeAct, type AccountAct } from './rules.acts.ts';
import type { UserRow } from './store.ts';

type Done = { person: UserRow; by: Person; act: AccountAct };
/** An act with its words for the user and for admins, and the mail to the user. */
export type Handled = Done & { toUser: string; toAdmins: string; letter: Letter };

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
  async handled(unit: Unit, { person, by, act }: Done): Promise<void> {
    if (person.id === by.id) return;
    const { id, email, first_name: firstName, last_name: lastName } = person;
    const toUser = describeToUser(act, by);
    const toAdmins = describeAct(act, by, { id, firstName, lastName });
    const letter = writeAct(act, { to: email, by });
    const handled = { person, by, act, toUser, toAdmins, letter };
    for (const follow of this.#handlings) await follow(unit, handled);
  }

  async recovered(unit: Unit, userId: string, since: Date): Promise<void> {
    for (const follow of this.#recoveries) await follow(unit, userId, since);
  }
}
