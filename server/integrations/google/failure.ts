import { setTimeout as wait } from 'node:timers/promises';
import { parseJson } from '../../core/json.ts';

type GoogleReason =
  /** The grant was revoked, has expired, or lacks required permissions. */
  | 'revoked'
  /** Google rejected the code or the verifier. */
  | 'badCode'
  | 'notFound'
  /** Google rejected the request as invalid. */
  | 'refused'
  | 'tooLarge'
  | 'busy'
  | 'slow'
  | 'down'
  /** The firm's project is misconfigured: wrong secret, or Gmail is off. */
  | 'misconfigured';

/** Why a call to Google failed. Safe to log: it contains no part of the request, reply or token. */
export class GoogleFailure extends Error {
  readonly reason: GoogleReason;
  /** Seconds that Google asks to wait. */
  readonly retryAfter: number | undefined;
  /** True when the request may have succeeded anyway. */
  readonly isUnsure: boolean;

  constructor(
    reason: GoogleReason,
    { retryAfter, isUnsure = false }: { retryAfter?: number | undefined; isUnsure?: boolean } = {},
  ) {
    super(`Google: ${reason}`);
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.isUnsure = isUnsure;
  }
}

/** Undefined for not found. @throws GoogleFailure for any other failure */
export async function undefinedIfMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GoogleFailure && error.reason === 'notFound') return undefined;
    throw error;
  }
}

type FailedReply = { status: number; words: string[]; retryAfter: number | undefined };

const BUSY = /^(rateLimitExceeded|userRateLimitExceeded|dailyLimitExceeded|quotaExceeded)$/i;
const NO_SCOPE = /^(insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT)$/i;
const NOT_SWITCHED_ON =
  /^(accessNotConfigured|SERVICE_DISABLED|invalid_client|unauthorized_client)$/i;
const MAX_REPORTED_WAIT_SECONDS = 3600;

/** Classifies errors of Google's libraries, which quote requests and tokens and must end here. */
export function toGoogleFailure(error: unknown): GoogleFailure {
  if (error instanceof GoogleFailure) return error;
  const reply = readReply(error);
  if (reply) return classify(reply);
  const { name, code, cause } = (error ?? {}) as Record<string, unknown>;
  const names = [name, code, (cause as { name?: unknown } | undefined)?.name].map(String);
  const isSlow = names.some((one) => /^(TimeoutError|AbortError|ETIMEDOUT)$/.test(one));
  return new GoogleFailure(isSlow ? 'slow' : 'down', { isUnsure: true });
}

function classify({ status, words, retryAfter }: FailedReply): GoogleFailure {
  const says = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (says(/^invalid_grant$/)) return new GoogleFailure('revoked');
  if (says(NOT_SWITCHED_ON)) return new GoogleFailure('misconfigured');
  if (status === 429 || (status === 403 && says(BUSY)))
    return new GoogleFailure('busy', { retryAfter });
  if (status === 403 && says(NO_SCOPE)) return new GoogleFailure('revoked');
  if (status === 404 || status === 410) return new GoogleFailure('notFound');
  if (status === 413) return new GoogleFailure('tooLarge');
  if (status === 408 || status === 504) return new GoogleFailure('slow', { isUnsure: true });
  if (status >= 500) return new GoogleFailure('down', { isUnsure: true });
  // A refused fresh token is Google's fault, since a lost grant refuses the refresh.
  if (status === 401 || status === 403) return new GoogleFailure('down');
  return new GoogleFailure('refused');
}

/** The reply of a failed call, if any. */
function readReply(error: unknown): FailedReply | undefined {
  const { response } = (error ?? {}) as { response?: { status?: unknown; data?: unknown } };
  const { status } = response ?? {};
  if (typeof status !== 'number' || status < 400) return undefined;
  // The library brings its own class, not the global one.
  const { headers } = response as { headers?: Pick<Headers, 'get'> };
  const wait = Number(headers?.get('retry-after') ?? 0);
  const retryAfter = wait > 0 && wait <= MAX_REPORTED_WAIT_SECONDS ? wait : undefined;
  return { status, words: wordsOf(response?.data), retryAfter };
}

type ErrorBody = {
  error?: unknown;
  errors?: unknown;
  details?: unknown;
  status?: unknown;
  reason?: unknown;
};

/** The error's codes, whose place differs between Google's APIs. */
function wordsOf(data: unknown): string[] {
  const said = asSaid(data);
  const error = asSaid(said?.error);
  const listed = [error?.errors, error?.details].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const words = [said?.error, error?.status, ...listed.map((one) => asSaid(one)?.reason)];
  return words.filter((word) => typeof word === 'string');
}

function asSaid(value: unknown): ErrorBody | undefined {
  if (value instanceof ArrayBuffer) return asSaid(Buffer.from(value).toString());
  if (typeof value === 'string' && value.startsWith('{'))
    return parseJson(value) as ErrorBody | undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}

const MAX_TRIES = 4;
/** Seconds: longer waits are reported to the user instead. */
const MAX_RETRY_WAIT_SECONDS = 4;

type Options = {
  /** Also retried when the first try may have succeeded. */
  isHarmless: boolean;
  /** Longest wait before the second try in milliseconds; it doubles for each further try. */
  again: number;
};

/**
 * Retries while Google is busy, with growing random waits.
 * @throws GoogleFailure
 */
export async function withBackOff<T>(
  ask: () => Promise<T>,
  { isHarmless, again }: Options,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      const failure = toGoogleFailure(error);
      const { reason, retryAfter = 0 } = failure;
      const mayPass = reason === 'busy' || (isHarmless && reason === 'down');
      if (!mayPass || tried === MAX_TRIES || retryAfter > MAX_RETRY_WAIT_SECONDS) throw failure;
      const most = again * 2 ** (tried - 1);
      await wait(retryAfter * 1000 + most * (0.5 + Math.random() / 2));
    }
  }
}
