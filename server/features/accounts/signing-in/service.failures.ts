import type { Database } from '../../../db/schema.ts';
import type { Network } from '../../../core/network.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import { findUserByEmail } from '../store.ts';

/** Milliseconds between two entries about the same slowed guesser, who would fill the audit log otherwise. */
const PAUSE = 60_000;
/** Remembered guessers. */
const MOST = 10_000;

/** The password alone, where a second factor is on, is half a sign-in. */
const HALFWAY = new Set<Refusal['code']>(['codeRequired', 'passkeyRequired']);

/** A passkey that no account has comes without an address. */
type Try = { email: string | undefined; client: Network };

/** Records sign-ins that fail or are slowed down. The address is only told by the account that it belongs to. */
export class SignInFailures {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #slowed = new Map<string, number>();

  constructor(db: Database, writer: Writer) {
    this.#db = db;
    this.#writer = writer;
  }

  async note(tried: Try, error: unknown): Promise<void> {
    const isSlowed = error instanceof Refusal && error.code === 'tooManyAttempts';
    const isFailed =
      error instanceof Refusal && [401, 403].includes(error.status) && !HALFWAY.has(error.code);
    if (!isFailed && !(isSlowed && this.#isNew(tried))) return;
    const { email } = tried;
    const account = email === undefined ? undefined : await findUserByEmail(this.#db, email);
    await this.#writer.run(null, (unit) =>
      unit.record({
        action: isSlowed ? 'signInSlowed' : 'signInFailed',
        entity: 'user',
        entityId: account?.id ?? null,
        ...(account && { after: { email: account.email } }),
      }),
    );
  }

  #isNew({ email = '', client }: Try): boolean {
    const key = JSON.stringify([email.toLowerCase(), client]);
    const isNew = (this.#slowed.get(key) ?? 0) < Date.now() - PAUSE;
    if (this.#slowed.size >= MOST) this.#slowed.clear();
    if (isNew) this.#slowed.set(key, Date.now());
    return isNew;
  }
}
