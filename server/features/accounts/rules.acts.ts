import type { Person } from '@matterdesk/contract/cases.ts';
import type { Letter } from '../../integrations/smtp/mailer.ts';

/** What a user does to the account of another. */
export type AccountAct =
  | 'linkCreated'
  | 'passwordSet'
  | 'factorRemoved'
  | 'deactivated'
  | 'reactivated'
  | 'rightsChanged';

function nameOf({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

type Sentence = (by: string, of: string) => string;

/** What happened to an account, for an admin: `of` is its user. */
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

export function describeAct(act: AccountAct, by: Person, of: Person): string {
  return sentences[act](nameOf(by), nameOf(of));
}

export function describeToUser(act: AccountAct, by: Person): string {
  return toUser[act](nameOf(by));
}

/** What the user can do about it. */
const advice: Partial<Record<AccountAct, string>> = {
  linkCreated: 'Anyone who has the link can use it to sign in as you.',
  passwordSet:
    'Restricted matters stay closed to you until someone with access lets you in again under Access.',
};

/** The mail to the user. Removing a second factor has its own. */
export function writeAct(act: AccountAct, { to, by }: { to: string; by: Person }): Letter {
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
