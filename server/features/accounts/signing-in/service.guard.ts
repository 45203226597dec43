// Slows down guesses, and decides before any password is hashed. A browser in which the user signed in before has a count
// of its own, so that strangers cannot keep the user out.
import type { Place } from '../../../db/sessions.ts';
import type { Network } from '../../../core/origin.ts';
import { Refusal } from '../../../core/refusal.ts';
import { AttemptRoom, type Taken } from '../service.attempts.ts';
import type { Limit } from '../rules.attempts.ts';
import { forgetAttempts } from '../store.attempts.ts';
import * as rules from './rules.ts';
import { findKnownBrowser } from './store.ts';
import { type Context, perContext } from '../../../context.ts';

/** Where a user signs in, and the token of the browser's cookie. */
export type Caller = Place & { network: Network; browser?: string | undefined };

/** Who enters a password: `browser` is the token of a browser's cookie. */
export type Try = { email: string; client: Network; browser?: string | undefined };

/** Refusals that count as a failed guess. */
const GUESSES = new Set<Refusal['code']>([
  'badCredentials',
  'wrongPassword',
  'wrongCode',
  'passkeyRefused',
]);

const roomOf = perContext((context) => new AttemptRoom(context.db));

/**
 * @param check verifies the password or the code
 * @throws Refusal tooManyAttempts
 */
export async function attemptPassword<T>(
  context: Context,
  tried: Try,
  check: () => Promise<T>,
): Promise<T> {
  const [own, ...others] = await limitsOf(context, tried);
  const result = await withinLimits(context, [own, ...others], check);
  await forgetAttempts(context.db, own.key);
  return result;
}

/** A passkey cannot be guessed, so what others tried at its account does not matter. @throws Refusal tooManyAttempts */
export function attemptByPasskey<T>(
  context: Context,
  client: Network,
  check: () => Promise<T>,
): Promise<T> {
  return withinLimits(context, [rules.ofClient('passkeys', client)], check);
}

async function withinLimits<T>(
  context: Context,
  limits: Limit[],
  check: () => Promise<T>,
): Promise<T> {
  const taken: Taken[] = [];
  try {
    for (const limit of limits) taken.push(await roomOf(context).take(limit));
    const result = await check();
    for (const each of taken) await each.giveBack();
    return result;
  } catch (error) {
    // Only failed guesses count.
    if (!isGuess(error)) for (const each of taken) await each.giveBack();
    throw error;
  } finally {
    for (const each of taken) each.settle();
  }
}

/** The first one is forgotten after a success. */
async function limitsOf(
  context: Context,
  { email, client, browser }: Try,
): Promise<[Limit, ...Limit[]]> {
  const known = browser && (await findKnownBrowser(context.db, browser, email));
  if (known) return [rules.inBrowser(known)];
  const everywhere = rules.everywhere(email);
  const isAttacked = (await roomOf(context).count(everywhere)) >= rules.FAILURES_OF_AN_ATTACK;
  return [rules.atAccount(email, client, isAttacked), rules.ofClient('client', client), everywhere];
}

function isGuess(error: unknown): boolean {
  return error instanceof Refusal && GUESSES.has(error.code);
}
