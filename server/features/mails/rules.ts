import type { MailSection } from '@matterdesk/contract/mail-sections.ts';
import { MailboxChangeSchema, type MailboxChange } from '@matterdesk/contract/mails.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { fittingName } from '../../core/file-names.ts';
import type { Label } from '../../integrations/google/mailbox.ts';

/** Purpose of the seal around a grant's token. */
export const grantPurpose = (userId: string) => `google grant of ${userId}`;

/** A grant in the audit log. */
export function about({ user_id: entityId }: { user_id: string }) {
  return { entity: 'googleGrant', entityId } as const;
}

/** Gmail's name of each section. */
export const LABELS: Record<MailSection, Label> = { inbox: 'INBOX', sent: 'SENT', drafts: 'DRAFT' };
/** Rejects impossible ids before they reach Google. */
export function isMailId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

/** Characters of an attachment's name. */
const MAX_NAME = 200;

export function attachmentName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  return onOneLine(last).slice(-MAX_NAME) || 'attachment';
}

/** File name of a filed or forwarded mail: its date and subject. @param date ISO 8601 */
export function nameOfMail(subject: string, date: string): string {
  const about = onOneLine(subject).replaceAll(/[/\\:*?"<>|]/g, '_');
  const words = [...about]
    .slice(0, 100)
    .join('')
    .replaceAll(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return fittingName(`${date.slice(0, 10)} ${words || 'Email without subject'}`, '.eml');
}

function onOneLine(text: string): string {
  return normalized(text.toWellFormed())
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ')
    .trim();
}

/** Parses Gmail's push; undefined for anything else. */
export function readChange(data: string): MailboxChange | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(data, 'base64').toString());
    return MailboxChangeSchema.safeParse(json).data;
  } catch {
    return undefined;
  }
}

/** Any point of the history is newer than an unknown one. */
export function isNewer(historyId: string, known: string): boolean {
  return !/^\d+$/.test(known) || BigInt(historyId) > BigInt(known);
}

/** Days for which a mail counts as one that arrived lately. */
const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;

/** In the inbox, and from someone else. */
export function isReceived(labels: readonly string[]): boolean {
  return labels.includes(LABELS.inbox) && !labels.includes(LABELS.sent);
}

/** @param arrivedAt milliseconds since 1970 */
export function isRecent(arrivedAt: number, now: Date): boolean {
  return now.getTime() - arrivedAt < RECENT_DAYS * DAY_MS;
}
