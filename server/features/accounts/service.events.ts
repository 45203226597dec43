import type { Person } from '@matterdesk/contract/cases.ts';
import { type Context, hook } from '../../context.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Letter } from '../../integrations/smtp/mailer.ts';
import { describeAct, describeToUser, writeAct, type AccountAct } from './rules.acts.ts';
import type { UserRow } from './store.ts';

type Done = { person: UserRow; by: Person; act: AccountAct };
/** An act with its words for the user and for admins, and the mail to the user. */
export type Handled = Done & { toUser: string; toAdmins: string; letter: Letter };

/** What was done to an account, in the transaction. */
export const accountHandled = hook<[unit: Unit, handled: Handled]>();
/**
 * A new password ends what may have been set up with the one that came by someone else's link; `since` is when that
 * link had set the password that ends now.
 */
export const passwordRecovered = hook<[unit: Unit, userId: string, since: Date]>();
/** Other features end what belongs to a deactivated user; reactivated users start clean. */
export const userDeactivated = hook<[unit: Unit, userId: string]>();

/** Nothing is reported to a user about what they did themselves. */
export async function reportAct(
  context: Context,
  unit: Unit,
  { person, by, act }: Done,
): Promise<void> {
  if (person.id === by.id) return;
  const { id, email, first_name: firstName, last_name: lastName } = person;
  const toUser = describeToUser(act, by);
  const toAdmins = describeAct(act, by, { id, firstName, lastName });
  const letter = writeAct(act, { to: email, by });
  await accountHandled.run(context, unit, { person, by, act, toUser, toAdmins, letter });
}
