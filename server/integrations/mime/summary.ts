import type { MailSummary } from '@matterdesk/contract/mails.ts';
import type { MailHead, MailPart } from '../google/mail-head.ts';
import { decodeAddresses, decodeHeader } from './addresses.ts';
import { plainSnippet } from './snippet.ts';

const noAddress = { name: '', email: '' };

/** A mail in a list. */
export function summarize(head: MailHead): MailSummary {
  const headerOf = (wanted: string) =>
    head.headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';
  return {
    id: head.id,
    snippet: plainSnippet(head.snippet),
    subject: decodeHeader(headerOf('subject')),
    from: decodeAddresses(headerOf('from'))[0] ?? noAddress,
    to: decodeAddresses(headerOf('to'))[0] ?? noAddress,
    date: new Date(head.arrivedAt).toISOString(),
    unread: head.labels.includes('UNREAD'),
    hasAttachments: head.parts.some(isAttachment),
  };
}

/** Inline images and duplicate invitations are no attachments to a reader. */
function isAttachment({ mimeType, isNamed, isInline }: MailPart): boolean {
  if (mimeType === 'message/rfc822') return true;
  return isNamed && !(isInline && mimeType.startsWith('image/'));
}
