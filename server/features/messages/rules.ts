import type { MessageStatus } from '@matterdesk/contract/messages.ts';

/** Seconds after which a send without an outcome counts as unknown: longer than Twilio has for an answer. */
export const SENDING_LIFE = 30;
/** Seconds before Twilio is asked about a send: its list is not always up to the moment. */
export const SETTLE_AFTER = 10;
/** Seconds that a message may be missing at Twilio before it counts as not sent. */
export const UNKNOWN_LIFE = 600;
/** Seconds that a purchase may be missing at Twilio before it counts as not made. */
export const BUYING_LIFE = 120;

/** How far a message has come; of two statuses the lower one never replaces the higher. */
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

/** True when a message that Twilio knows may go from one status to the other. */
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

/** Undefined for a word that Twilio may use one day. */
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

/** The keyword that a text consists of, case and blanks aside. */
export function keywordOf(body: string): Keyword | undefined {
  const word = body.trim().toUpperCase();
  return (Object.keys(keywords) as Keyword[]).find((keyword) => keywords[keyword].includes(word));
}

/** Marks a number at Twilio with the purchase that it came by. */
export function markOf(purchaseId: string): string {
  return `Matterdesk ${purchaseId}`;
}

/**
 * Where Twilio calls back, undefined where it could not: on this machine's own name, unless an emulator
 * stands in for Twilio. What it could not tell is found by asking.
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

/** Why a text did not arrive, in words. */
export function errorText(code: number | null): string {
  const known = code === null ? undefined : errorTexts[code];
  return known ?? (code === null ? 'The carrier gave no reason' : `Twilio error ${code}`);
}

/** This second, as Twilio's records have it: its own time then hardly ever moves a message that is on a screen. */
export function thisSecond(): Date {
  return new Date(Math.floor(Date.now() / 1000) * 1000);
}

/** `2026-11-21 21:14:10 UTC` */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The digits that a number is called by; what people write in a case has them in other clothes. */
export function digitsOf(written: string): string {
  const digits = written.replaceAll(/\D/g, '');
  return digits.length === 10 && !written.trim().startsWith('+') ? `1${digits}` : digits;
}
