export type FailureKind =
  /** Twilio read the request and said no. */
  'refused' | 'badCredentials' | 'rateLimited' | 'down' | 'slow';

type Detail = {
  kind: FailureKind;
  /** Twilio's error code; null when it gave none. */
  code: number | null;
  /** Twilio's own sentence, which may hold numbers of people: for the person who asked, never for the log. */
  words: string;
  /** True when nobody can say whether the request was carried out. */
  isUncertain: boolean;
};

/** A call of Twilio's that did not succeed. It holds nothing of the request, so that no token can get into a log. */
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

/** Nothing has left this machine, or nobody listened. */
const NEVER_ARRIVED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
const TOO_SLOW = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const LONGEST_WORDS = 500;

/** Whatever Twilio's library threw, without the request that it carries. */
export function toFailure(error: unknown): TwilioFailure {
  if (error instanceof TwilioFailure) return error;
  const { status, code, message } = (error ?? {}) as Record<string, unknown>;
  if (typeof status === 'number') {
    const words = typeof message === 'string' ? message.slice(0, LONGEST_WORDS) : '';
    return refusedWith(status, { code: typeof code === 'number' ? code : null, words });
  }
  const sign = typeof code === 'string' ? code : '';
  if (TOO_SLOW.has(sign))
    return new TwilioFailure({ kind: 'slow', code: null, words: '', isUncertain: true });
  const isUncertain = !NEVER_ARRIVED.has(sign);
  return new TwilioFailure({ kind: 'down', code: null, words: '', isUncertain });
}

function refusedWith(status: number, { code, words }: { code: number | null; words: string }) {
  const told = { code, words };
  if (status === 429 || code === 20429)
    return new TwilioFailure({ ...told, kind: 'rateLimited', isUncertain: false });
  if (status === 401 || code === 20003)
    return new TwilioFailure({ ...told, kind: 'badCredentials', isUncertain: false });
  if (status >= 500) return new TwilioFailure({ ...told, kind: 'down', isUncertain: true });
  return new TwilioFailure({ ...told, kind: 'refused', isUncertain: false });
}
