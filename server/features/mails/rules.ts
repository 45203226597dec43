import type { MailSection } from '@matterdesk/contract/mail-sections.ts';
import type { Label } from '../../integrations/google/mailbox.ts';

/** What is sealed for what; a sealed text opens for its own purpose only. */
export const grantPurpose = (userId: string) => `google grant of ${userId}`;
export const statePurpose = (sessionId: string) => `google state of ${sessionId}`;
export const REVOCATION = 'google revocation';

/** A token to revoke; `email` is null for an unknown account. */
export type Revocation = {
  refreshToken: string;
  email: string | null;
  /** Whether Google tells us of new mail. */
  isWatched: boolean;
};

/** A grant in the audit log. */
export function about({ user_id: entityId }: { user_id: string }) {
  return { entity: 'googleGrant', entityId } as const;
}

/** Gmail's name of each section. */
export const LABELS: Record<MailSection, Label> = { inbox: 'INBOX', sent: 'SENT', drafts: 'DRAFT' };
/** How many the first look shows of each. */
export const FIRST_PAGE: Record<MailSection, number> = { inbox: 25, sent: 10, drafts: 10 };

/** What cannot be one of Google's ids is as unknown as any other. */
export function isMailId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}
