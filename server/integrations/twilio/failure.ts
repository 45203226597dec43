export type FailureKind =
  /** Twilio refused the request. */
  'refused' | 'badCredentials' | 'rateLimited' | 'down' | 'slow';

type Detail = {
  kind: FailureKind;
  /** Twilio's error code; null without one. */
  code: number | null;
  /** Twilio's message, which may contain phone numbers: for the caller, never for the log. */
  words: string;
  /** True when the request may have succeeded. */
  isUncertain: boolean;
};

/** A failed call to Twilio. It holds nothing of the request, so that no token reaches a log. */
export class TwilioFailure extends Error {
  readonly kind: FailureKind;
  readonly code: number | null;
  readonly words: string;
  readonly isUncertain: boolean;

  constructor({ kind, code, words, isUncertain }: Detail) {
    super(`Twilio: ${kind}${code === null ? '' : ` (${code})`}`);
    this.kind = kind;
    this.code = code;
    this.words = words;
    this.isUncertain = isUncertain;
  }
}

/** The request never left this machine, or was not accepted. */
const NEVER_ARRIVED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
const TOO_SLOW = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const MAX_MESSAGE_LENGTH = 500;

/** The Twilio library's error without the request that it carries. */
export function toFailure(error: unknown): TwilioFailure {
  if (error instanceof TwilioFailure) return error;
  const { status, code, message } = (error ?? {}) as Record<string, unknown>;
  if (typeof status === 'number') {
    const words = typeof message === 'string' ? message.slice(0, MAX_MESSAGE_LENGTH) : '';
    return refusedWith(status, { code: typeof code === 'number' ? code : null, words });
  }
  const sign = typeof code === 'string' ? code : '';
  if (TOO_SLOW.has(sign))
    return new TwilioFailure({ kind: 'slow', code: null, words: '', isUncertain: true });
  const isUncertain = !NEVER_ARRIVED.has(sign);
  return new TwilioFailure({ kind: 'down', code: null, words: '', isUncertain });
}

function refusedWith(status: number, { code, words }: { code: number | null; words: string }) {
  const reply = { code, words };
  if (status === 429 || code === 20429)
    return new TwilioFailure({ ...reply, kind: 'rateLimited', isUncertain: false });
  if (status === 401 || code === 20003)
    return new TwilioFailure({ ...reply, kind: 'badCredentials', isUncertain: false });
  if (status >= 500) return new TwilioFailure({ ...reply, kind: 'down', isUncertain: true });
  return new TwilioFailure({ ...reply, kind: 'refused', isUncertain: false });
}
