// The thread of a reply or a draft.

import type { MailHead } from '../../../integrations/google/mail-head.ts';

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
