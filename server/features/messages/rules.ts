import type { MessageStatus } from '@matterdesk/contract/messages.ts';

/** Seconds after which an unfinished send counts as unknown; longer than Twilio's timeout. */
export const SENDING_LIFE = 30;
/** Seconds before Twilio is asked about a send, since its list lags behind. */
export const SETTLE_AFTER = 10;
/** Seconds after which a message missing at Twilio counts as not sent. */
export const UNKNOWN_LIFE = 600;
/** Seconds after which a purchase missing at Twilio counts as not made. */
export const BUYING_LIFE = 120;

/** Order of statuses: a lower rank never replaces a higher one. */
const ranks: Record<MessageStatus, number> = {
  unknown: 0,
  queued: 1,
  sending: 2,
  sent: 3,
  delivered: 4,
  undelivered: 4,
  failed: 4,
  received: 4,
};

/** For messages with an id of Twilio. */
export function isForward(from: MessageStatus, to: MessageStatus): boolean {
  return ranks[to] > ranks[from];
}

const words: Record<string, MessageStatus> = {
  accepted: 'queued',
  scheduled: 'queued',
  queued: 'queued',
  sending: 'sending',
  sent: 'sent',
  delivered: 'delivered',
  partially_delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
  receiving: 'received',
  received: 'received',
};

/** Undefined for statuses that Twilio may add. */
export function statusOf(word: string): MessageStatus | undefined {
  return words[word];
}

export type Keyword = 'STOP' | 'START' | 'HELP';

// Twilio's own lists for long codes and toll-free numbers.
const keywords: Record<Keyword, readonly string[]> = {
  STOP: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  START: ['START', 'YES', 'UNSTOP'],
  HELP: ['HELP', 'INFO'],
};

/** The keyword, if the text consists of it alone, ignoring case and whitespace. */
export function keywordOf(body: string): Keyword | undefined {
  const word = body.trim().toUpperCase();
  return (Object.keys(keywords) as Keyword[]).find((keyword) => keywords[keyword].includes(word));
}

/** Friendly name at Twilio that identifies the purchase. */
export function markOf(purchaseId: string): string {
  return `Matterdesk ${purchaseId}`;
}

/**
 * Callback URL; undefined for local addresses that Twilio cannot reach, unless an emulator replaces
 * Twilio. Without callbacks the jobs poll.
 */
export function callbackUrl(
  { publicUrl, isEmulated }: { publicUrl: string; isEmulated: boolean },
  path: string,
): string | undefined {
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(publicUrl).hostname);
  return isLocal && !isEmulated ? undefined : `${publicUrl}${path}`;
}

const errorTexts: Record<number, string> = {
  21610: 'They replied STOP',
  30001: 'Twilio’s queue was full',
  30002: 'The Twilio account is suspended',
  30003: 'The phone can’t be reached right now',
  30004: 'The person or the carrier blocks texts from this number',
  30005: 'The number isn’t in use',
  30006: 'This is a landline, or its carrier doesn’t accept texts',
  30007: 'The carrier blocked it as spam',
  30008: 'The carrier gave no reason',
  30032: 'The toll-free number isn’t verified yet',
  30034: 'The number isn’t registered yet (A2P 10DLC)',
};

export function errorText(code: number | null): string {
  const known = code === null ? undefined : errorTexts[code];
  return known ?? (code === null ? 'The carrier gave no reason' : `Twilio error ${code}`);
}

/** Twilio's records have whole seconds too, so its own time rarely moves a message on the screen. */
export function currentSecond(): Date {
  return new Date(Math.floor(Date.now() / 1000) * 1000);
}

/** `2026-11-21 21:14:10 UTC` */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Digits with the country code; ten digits without a plus are a US number. */
export function digitsOf(written: string): string {
  const digits = written.replaceAll(/\D/g, '');
  return digits.length === 10 && !written.trim().startsWith('+') ? `1${digits}` : digits;
}
