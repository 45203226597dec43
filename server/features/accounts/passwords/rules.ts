// Passwords: changing one, links that set one, and which are too easy to guess.

import { normalized } from '@matterdesk/contract/normalization.ts';
import type { Letter } from '../../../integrations/smtp/mailer.ts';

const HOUR = 3600_000;
/** Milliseconds for which a link works, by mail and from an administrator. */
export const MAILED_LINK_LIFE = HOUR;
export const HANDED_LINK_LIFE = 24 * HOUR;
/** Links for one address in an hour. */
export const LINKS_PER_ADDRESS = 3;
export const LINK_WINDOW = HOUR;
/** Mails that one client has sent in an hour. */
export const LINKS_PER_CLIENT = 20;

type Owner = { firstName: string; lastName: string; email: string };

/** Whether a password is the user's own name or address. */
export function isOwnName(password: string, { firstName, lastName, email }: Owner): boolean {
  const names = [
    firstName,
    lastName,
    `${firstName} ${lastName}`,
    `${firstName}${lastName}`,
    email,
    email.slice(0, email.indexOf('@')),
  ];
  return names.some((name) => plain(name) === plain(password));
}

function plain(text: string): string {
  return normalized(text).trim().toLowerCase();
}

export function writeLink(
  to: string,
  { url, askedFrom }: { url: string; askedFrom: string },
): Letter {
  return {
    to,
    subject: 'Set a new Matterdesk password',
    text: `Someone at the network address ${askedFrom} asked for a new password for your Matterdesk account.

Set it within an hour:
${url}

If it was not you, ignore this mail: your password stays as it is.
`,
  };
}
