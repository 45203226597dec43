import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type { Conversation, TextMessage } from '@matterdesk/contract/messages.ts';

// `unknown` comes before `sent`, so that a confirmation replaces it.
const steps: Partial<Record<MessageStatus, number>> = {
  queued: 1,
  sending: 2,
  unknown: 2,
  sent: 3,
};
const LAST_STEP = 4;

/** The later of two versions of a message, since a socket event may overtake a reply. */
export function laterOf(held: TextMessage, received: TextMessage): TextMessage {
  if (held.status === 'unknown') return received;
  const step = ({ status }: TextMessage) => steps[status] ?? LAST_STEP;
  return step(received) < step(held) ? held : received;
}

/** The number of the contact. */
export function otherEnd({ from, to }: TextMessage, own: string): string {
  return from === own ? to : from;
}

/** Inserts or updates a message in order of time; among equal times, the new message comes last. */
export function placed(held: readonly TextMessage[], message: TextMessage): TextMessage[] {
  const at = held.findLastIndex(({ id }) => id === message.id);
  const same = held[at];
  if (same) return held.with(at, laterOf(same, message));
  const after = held.findLastIndex(({ dateSent }) => dateSent <= message.dateSent);
  return held.toSpliced(after + 1, 0, message);
}

type Page = { messages: TextMessage[]; nextCursor: string | null };

/** Merges the latest page, or a page of earlier messages, into a history. */
export function mergePage(held: Page | null, page: Page, isMore: boolean): Page {
  const ids = new Set(held?.messages.map(({ id }) => id));
  const fresh = page.messages.filter(({ id }) => !ids.has(id));
  if (held && isMore)
    return { messages: [...fresh, ...held.messages], nextCursor: page.nextCursor };
  // Without a message in common, others may be missing between the two.
  if (!held || fresh.length === page.messages.length) return page;
  return { ...held, messages: page.messages.reduce(placed, held.messages) };
}

/** A contact before the first text. */
export function withoutTexts(
  phoneNumber: string,
  names: Readonly<Record<string, string>>,
): Conversation {
  const name = names[phoneNumber] ?? null;
  return { phoneNumber, unread: 0, lastMessage: null, name, caseId: null };
}
