import type { MailSection } from '@matterdesk/contract/mail-sections.ts';
import type { Label } from '../../integrations/google/mailbox.ts';

/** Purposes of seals: a sealed text opens for its own purpose only. */
export const grantPurpose = (userId: string) => `google grant of ${userId}`;
export const statePurpose = (sessionId: string) => `google state of ${sessionId}`;
export const REVOCATION = 'google revocation';

/** A token to revoke; `email` is null for an unknown account. */
export type Revocation = {
  refreshToken: string;
  email: string | null;
  /** True while Google pushes changes of the mailbox. */
  isWatched: boolean;
};

/** A grant in the audit log. */
export function about({ user_id: entityId }: { user_id: string }) {
  return { entity: 'googleGrant', entityId } as const;
}

/** Gmail's name of each section. */
export const LABELS: Record<MailSection, Label> = { inbox: 'INBOX', sent: 'SENT', drafts: 'DRAFT' };
/** Mails per section on the first page. */
export const FIRST_PAGE: Record<MailSection, number> = { inbox: 25, sent: 10, drafts: 10 };

/** Rejects impossible ids before they reach Google. */
export function isMailId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}
