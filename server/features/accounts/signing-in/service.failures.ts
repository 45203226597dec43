// Records sign-ins that fail or are slowed down. The address is only told by the account that it belongs to.
import type { Network } from '../../../core/origin.ts';
import { Refusal } from '../../../core/refusal.ts';
import { findUserByEmail } from '../store.ts';
import { type Context, perContext } from '../../../context.ts';

/** Milliseconds between two entries about the same slowed guesser, who would fill the audit log otherwise. */
const PAUSE = 60_000;
/** Remembered guessers. */
const MOST = 10_000;

/** The password alone, where a second factor is on, is half a sign-in. */
const HALFWAY = new Set<Refusal['code']>(['codeRequired', 'passkeyRequired']);

/** A passkey that no account has comes without an address. */
type Try = { email: string | undefined; client: Network };

const slowedOf = perContext(() => new Map<string, number>());

export async function noteFailure(context: Context, tried: Try, error: unknown): Promise<void> {
  const isSlowed = error instanceof Refusal && error.code === 'tooManyAttempts';
  const isFailed =
    error instanceof Refusal && [401, 403].includes(error.status) && !HALFWAY.has(error.code);
  if (!isFailed && !(isSlowed && isNewFailure(context, tried))) return;
  const { email } = tried;
  const account = email === undefined ? undefined : await findUserByEmail(context.db, email);
  await context.writer.run(null, (unit) =>
    unit.record({
      action: isSlowed ? 'signInSlowed' : 'signInFailed',
      entity: 'user',
      entityId: account?.id ?? null,
      ...(account && { after: { email: account.email } }),
    }),
  );
}

function isNewFailure(context: Context, { email = '', client }: Try): boolean {
  const key = JSON.stringify([email.toLowerCase(), client]);
  const isNew = (slowedOf(context).get(key) ?? 0) < Date.now() - PAUSE;
  if (slowedOf(context).size >= MOST) slowedOf(context).clear();
  if (isNew) slowedOf(context).set(key, Date.now());
  return isNew;
}
