import type { MailSection } from '@matterdesk/contract/mail-sections.ts';
import { MailboxChangeSchema, type MailboxChange } from '@matterdesk/contract/mails.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { DAY_MS } from '../../core/durations.ts';
import { fitFileName } from '../../core/file-names.ts';
import { parseJson } from '../../core/json.ts';
import type { Label } from '../../integrations/google/mailbox.ts';
import type { MailHead } from '../../integrations/google/replies.ts';

/** Purpose with which a grant's token is encrypted. */
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

/** File name of a filed or forwarded mail: its date and subject. @param date ISO 8601, for a file as the firm's clocks show it */
export function nameOfMail(subject: string, date: string): string {
  const about = onOneLine(subject).replaceAll(/[/\\:*?"<>|]/g, '_');
  const words = [...about]
    .slice(0, 100)
    .join('')
    .replaceAll(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return fitFileName(`${date.slice(0, 10)} ${words || 'Email without subject'}`, '.eml');
}

function onOneLine(text: string): string {
  return normalized(text.toWellFormed())
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ')
    .trim();
}

/** Parses Gmail's push; undefined for anything else. */
export function readChange(data: string): MailboxChange | undefined {
  return MailboxChangeSchema.safeParse(parseJson(Buffer.from(data, 'base64').toString())).data;
}

/** Any point of the history is newer than an unknown one. */
export function isNewer(historyId: string, known: string): boolean {
  return !/^\d+$/.test(known) || BigInt(historyId) > BigInt(known);
}

/** Days for which a mail counts as one that arrived lately. */
const RECENT_DAYS = 30;

/** In the inbox, and from someone else. */
export function isReceived(labels: readonly string[]): boolean {
  return labels.includes(LABELS.inbox) && !labels.includes(LABELS.sent);
}

/** @param arrivedAt milliseconds since 1970 */
export function isRecent(arrivedAt: number, now: Date): boolean {
  return now.getTime() - arrivedAt < RECENT_DAYS * DAY_MS;
}

// The thread of a reply or a draft.

type Head = Pick<MailHead, 'threadId' | 'headers'>;

const MESSAGE_ID = /<[^<>\s]{1,900}>/g;
/** Limit of Message-IDs in References. */
const MAX_REFERENCES = 50;

/** Threading headers of a reply (RFC 5322, 3.6.4). */
export type Thread = {
  threadId: string | undefined;
  inReplyTo: string | undefined;
  references: string[];
};

export const NO_THREAD: Thread = { threadId: undefined, inReplyTo: undefined, references: [] };

/** Threading headers for a reply to this mail. */
export function threadOf({ threadId, headers }: Head): Thread {
  const [messageId] = idsIn(headers, 'message-id');
  const before = idsIn(headers, 'references');
  const references = [...(before.length > 0 ? before : idsIn(headers, 'in-reply-to'))];
  if (messageId !== undefined) references.push(messageId);
  return { threadId, inReplyTo: messageId, references: references.slice(-MAX_REFERENCES) };
}

/** Threading headers of a stored draft, which it keeps. */
export function threadOfDraft({ threadId, headers }: Head): Thread {
  const [inReplyTo] = idsIn(headers, 'in-reply-to');
  if (inReplyTo === undefined) return NO_THREAD;
  return { threadId, inReplyTo, references: idsIn(headers, 'references') };
}

/** Valid ids only, since the header comes from a stranger. */
function idsIn(headers: MailHead['headers'], wanted: string): string[] {
  const found = headers.find(({ name }) => name.toLowerCase() === wanted);
  return found?.value.match(MESSAGE_ID) ?? [];
}
