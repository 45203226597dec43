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
