// Writing: drafts, attachments, sending exactly once.

import type { MailHead } from '../../../integrations/google/mail-head.ts';

const MESSAGE_ID = /<[^<>\s]{1,900}>/g;
/** Message-IDs that a long conversation names. */
const MOST_REFERENCES = 50;

/** How an answer says what it answers (RFC 5322, 3.6.4). */
export type Thread = {
  threadId: string | undefined;
  inReplyTo: string | undefined;
  references: string[];
};

export const NO_THREAD: Thread = { threadId: undefined, inReplyTo: undefined, references: [] };

/** For an answer to this mail. */
export function threadOf({ threadId, headers }: Pick<MailHead, 'threadId' | 'headers'>): Thread {
  const [messageId] = idsIn(headers, 'message-id');
  const before = idsIn(headers, 'references');
  const references = [...(before.length > 0 ? before : idsIn(headers, 'in-reply-to'))];
  if (messageId !== undefined) references.push(messageId);
  return { threadId, inReplyTo: messageId, references: references.slice(-MOST_REFERENCES) };
}

/** A draft stays in the conversation in which it was begun. */
export function threadOfDraft({
  threadId,
  headers,
}: Pick<MailHead, 'threadId' | 'headers'>): Thread {
  const [inReplyTo] = idsIn(headers, 'in-reply-to');
  if (inReplyTo === undefined) return NO_THREAD;
  return { threadId, inReplyTo, references: idsIn(headers, 'references') };
}

/** Only what is an id: a stranger's header does not get into ours. */
function idsIn(headers: MailHead['headers'], wanted: string): string[] {
  const found = headers.find(({ name }) => name.toLowerCase() === wanted);
  return found?.value.match(MESSAGE_ID) ?? [];
}
