import type { Person } from '@matterdesk/contract/cases.ts';
import { type Context, hook } from '../../context.ts';
import { fullName } from '../../core/actor.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Letter } from '../../integrations/smtp/mailer.ts';
import type { UserRow } from './store.ts';

type Act = { person: UserRow; by: Person; act: AccountAct };
/** An act in words for the user and for admins, with the mail to the user. */
export type HandledAct = Act & { toUser: string; toAdmins: string; letter: Letter };

/** Reports an act on an account, in its transaction. */
export const accountHandled = hook<[unit: Unit, handled: HandledAct]>();
/**
 * A new password ends what may have been set up with the one that came by someone else's link; `since` is when that
 * link had set the password that ends now.
 */
export const passwordRecovered = hook<[unit: Unit, userId: string, since: Date]>();
/** Other features end what belongs to a deactivated user; reactivated users start clean. */
export const userDeactivated = hook<[unit: Unit, userId: string]>();

/** An act on another user’s account. */
export type AccountAct =
  | 'linkCreated'
  | 'passwordSet'
  | 'factorRemoved'
  | 'deactivated'
  | 'reactivated'
  | 'rightsChanged';

type Sentence = (by: string, of: string) => string;

/** The act in words for an admin: `of` is the account’s user. */
const sentences: Record<AccountAct, Sentence> = {
  linkCreated: (by, of) => `${by} made a link that sets the password of ${of}`,
  passwordSet: (by, of) => `The password of ${of} was set with a link that ${by} made`,
  factorRemoved: (by, of) => `${by} removed the second factor of ${of}`,
  deactivated: (by, of) => `${by} deactivated the account of ${of}`,
  reactivated: (by, of) => `${by} reactivated the account of ${of}`,
  rightsChanged: (by, of) => `${by} changed the role or permissions of ${of}`,
};

/** The same for the user. */
const toUser: Record<AccountAct, (by: string) => string> = {
  linkCreated: (by) => `${by} made a link that sets your password`,
  passwordSet: (by) => `Your password was set with a link that ${by} made`,
  factorRemoved: (by) => `${by} removed your second factor`,
  deactivated: (by) => `${by} deactivated your account`,
  reactivated: (by) => `${by} reactivated your account`,
  rightsChanged: (by) => `${by} changed your role or permissions`,
};

/** Advice for the user. */
const advice: Partial<Record<AccountAct, string>> = {
  linkCreated: 'Anyone who has the link can use it to sign in as you.',
  passwordSet:
    'Restricted matters stay closed to you until someone with access lets you in again under Access.',
};

/** Nothing is reported to a user about what they did themselves. */
export async function reportAct(
  context: Context,
  unit: Unit,
  { person, by, act }: Act,
): Promise<void> {
  if (person.id === by.id) return;
  const { id, email, first_name: firstName, last_name: lastName } = person;
  const toUser = describeToUser(act, by);
  const toAdmins = describeAct(act, by, { id, firstName, lastName });
  const letter = writeAct(act, { to: email, by });
  await accountHandled.run(context, unit, { person, by, act, toUser, toAdmins, letter });
}

function describeAct(act: AccountAct, by: Person, of: Person): string {
  return sentences[act](fullName(by), fullName(of));
}

function describeToUser(act: AccountAct, by: Person): string {
  return toUser[act](fullName(by));
}

/** The mail to the user. Removing a second factor has its own. */
function writeAct(act: AccountAct, { to, by }: { to: string; by: Person }): Letter {
  const title = describeToUser(act, by);
  const parts = [
    `${title}.`,
    advice[act],
    `If you did not ask for this, speak to an administrator of your firm at once.`,
  ];
  return {
    to,
    subject: title,
    text: `${parts.filter((part) => part !== undefined).join('\n\n')}\n`,
  };
}
