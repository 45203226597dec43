import { errorCodes, type ErrorCode } from '@matterdesk/contract/errors.ts';
import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type { TwilioFailure } from '../../integrations/twilio/failure.ts';

/** Seconds after which an unfinished send counts as unknown; longer than Twilio's timeout. */
export const SENDING_LIFE_SECONDS = 30;
/** Seconds before Twilio is asked about a send, since its list lags behind. */
export const SETTLE_AFTER_SECONDS = 10;
/** Seconds after which a message missing at Twilio counts as not sent. */
export const UNKNOWN_LIFE_SECONDS = 600;
/** Seconds after which a purchase missing at Twilio counts as not made. */
export const BUYING_LIFE_SECONDS = 120;

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

/** Whether a status replaces another one, for a message with an id of Twilio. */
export function isForward(from: MessageStatus, to: MessageStatus): boolean {
  return ranks[to] > ranks[from];
}

const statuses: Record<string, MessageStatus> = {
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

/** Undefined for statuses added by Twilio since. */
export function statusOf(word: string): MessageStatus | undefined {
  return statuses[word];
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
export function friendlyNameOf(purchaseId: string): string {
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

/** Digits with the country code; ten digits without a plus are a US number. */
export function digitsOf(written: string): string {
  const digits = written.replaceAll(/\D/g, '');
  return digits.length === 10 && !written.trim().startsWith('+') ? `1${digits}` : digits;
}

/** Twilio's error codes for unregistered numbers. */
export function isUnregistered(code: number | null): boolean {
  return code === 30034 || code === 30032 || code === 30035;
}

/** Message for the user and error code of a Twilio failure. */
export type Explanation = { code: ErrorCode; message: string };

export const UNDECIDED =
  'Delivery isn’t confirmed yet. Don’t send this text again: its status is being checked.';

const refusalWith = (code: ErrorCode): Explanation => ({ code, message: errorCodes[code].message });

const failures: Record<number, Explanation> = {
  21211: { code: 'invalidInput', message: 'This phone number can’t be reached' },
  21217: { code: 'invalidInput', message: 'This phone number can’t be reached' },
  21614: { code: 'invalidInput', message: 'This phone number can’t receive texts' },
  21408: {
    code: 'conflict',
    message:
      'Texts to this region aren’t allowed yet. Ask your administrator to allow it in Twilio under Messaging, Geo permissions.',
  },
  21610: refusalWith('recipientStopped'),
  21612: { code: 'conflict', message: 'Twilio can’t deliver from your number to this one' },
  21606: { code: 'conflict', message: 'Twilio no longer allows texts from your number' },
  30034: {
    code: 'numberNotRegistered',
    message:
      'US carriers block texts from this number until it is registered (A2P 10DLC). Ask your administrator.',
  },
  30032: {
    code: 'numberNotRegistered',
    message:
      'US carriers block texts from this number until its toll-free verification is complete. Ask your administrator.',
  },
  21422: refusalWith('numberTaken'),
  21452: refusalWith('numberTaken'),
  21404: {
    code: 'conflict',
    message:
      'The Twilio trial account can’t buy another number. Ask your administrator to upgrade it.',
  },
  21631: {
    code: 'conflict',
    message: 'Twilio requires an address for this number. Choose another one.',
  },
  21649: {
    code: 'conflict',
    message: 'Twilio requires a regulatory bundle for this number. Choose another one.',
  },
};

export function explain(failure: TwilioFailure): Explanation {
  const known = failure.code === null ? undefined : failures[failure.code];
  if (known) return known;
  switch (failure.kind) {
    case 'badCredentials':
      return {
        code: 'notConfigured',
        message: 'Twilio rejected the account. Ask your administrator to check its SID and token.',
      };
    case 'rateLimited':
      return {
        code: 'tooManyAttempts',
        message: 'Twilio is limiting requests. Try again in a minute.',
      };
    case 'down':
      return { code: 'upstreamFailed', message: 'Twilio can’t be reached right now' };
    case 'slow':
      return { code: 'upstreamSlow', message: 'Twilio didn’t respond in time' };
    case 'refused':
      return { code: 'upstreamFailed', message: refusalOf(failure) };
  }
}

function refusalOf({ code, words }: TwilioFailure) {
  const number = code === null ? '' : ` (error ${code})`;
  return words === '' ? `Twilio rejected this${number}` : `Twilio rejected this: ${words}${number}`;
}
