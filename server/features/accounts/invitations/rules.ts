// Invitations: an active account for one address, once.

import type { NewInvitation } from '@matterdesk/contract/invitations.ts';
import type { Role } from '@matterdesk/contract/accounts.ts';
import type { Letter } from '../../../integrations/smtp/mailer.ts';

/** Milliseconds for which an invitation is open, and is listed after it ended. */
export const INVITATION_LIFE = 72 * 3600_000;
export const LISTED_FOR = 30 * 24 * 3600_000;

/** Only an admin invites admins or grants permissions. */
export function mayInvite(actor: { role: Role }, { role, permissions }: Partial<NewInvitation>) {
  const isGranting = Object.values(permissions ?? {}).includes(true);
  return actor.role === 'admin' || (role !== 'admin' && !isGranting);
}

type By = { firstName: string; lastName: string };

export function writeInvitation(to: string, { firstName, lastName }: By, url: string): Letter {
  return {
    to,
    subject: `${firstName} ${lastName} invites you to Matterdesk`,
    text: `${firstName} ${lastName} invites you to your firm's Matterdesk.

Create your account within three days:
${url}

If you do not expect this, ignore this mail.
`,
  };
}
