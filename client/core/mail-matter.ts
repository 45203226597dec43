import type { MailDetail } from '@matterdesk/contract/mails.ts';

/** A matter with the reason for it. */
type MailMatter = { id: string; label: string; reason: string };

/** The matter of what comes from a mail: where it was filed last, else the proposed one. */
export function matterOfMail({
  filed,
  proposedCase,
}: Pick<MailDetail, 'filed' | 'proposedCase'>): MailMatter | null {
  const place = filed.at(-1)?.case;
  if (place) return { id: place.id, label: place.caseName, reason: 'This email is filed there' };
  if (!proposedCase) return null;
  const { id, caseName, reason } = proposedCase;
  return { id, label: caseName, reason };
}
