import type { MessageStatus, TextMessage } from '@matterdesk/contract/messages.ts';

// Whoever does not know is behind whoever has heard that it left.
const steps: Partial<Record<MessageStatus, number>> = {
  queued: 1,
  sending: 2,
  unknown: 2,
  sent: 3,
};
const LAST_STEP = 4;

/** An answer may be overtaken by what the socket told: of two accounts of one message, the later. */
export function laterOf(held: TextMessage, heard: TextMessage): TextMessage {
  if (held.status === 'unknown') return heard;
  const step = ({ status }: TextMessage) => steps[status] ?? LAST_STEP;
  return step(heard) < step(held) ? held : heard;
}

/** The number at the other end. */
export function otherEnd({ from, to }: TextMessage, own: string): string {
  return from === own ? to : from;
}

/** With a message in its place by time; of the same moment, behind those that are held. */
export function placed(held: readonly TextMessage[], message: TextMessage): TextMessage[] {
  const at = held.findLastIndex(({ id }) => id === message.id);
  const same = held[at];
  if (same) return held.with(at, laterOf(same, message));
  const after = held.findLastIndex(({ dateSent }) => dateSent <= message.dateSent);
  return held.toSpliced(after + 1, 0, message);
}

type Page = { messages: TextMessage[]; nextCursor: string | null };

/** A history after a page of it was read: its end, or what comes before. */
export function mergePage(held: Page | null, page: Page, isMore: boolean): Page {
  const ids = new Set(held?.messages.map(({ id }) => id));
  const fresh = page.messages.filter(({ id }) => !ids.has(id));
  if (held && isMore)
    return { messages: [...fresh, ...held.messages], nextCursor: page.nextCursor };
  // Without a common message there may be others between the two.
  if (!held || fresh.length === page.messages.length) return page;
  return { ...held, messages: page.messages.reduce(placed, held.messages) };
}
