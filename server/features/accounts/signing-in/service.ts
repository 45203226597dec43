import type { Credentials, SignedIn } from '@matterdesk/contract/accounts.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import { openSession } from '../../../db/sessions.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { PasskeyAnswer } from '@matterdesk/contract/passkeys.ts';
import type { Codes, Proof } from '../second-factors/service.codes.ts';
import type { PasskeyService } from '../second-factors/service.passkeys.ts';
import type { AccountService } from '../service.ts';
import { isPasswordOf } from '../service.hashing.ts';
import { findUserByEmail, type UserRow } from '../store.ts';
import { SignInFailures } from './service.failures.ts';
import type { Caller, PasswordGuard } from './service.guard.ts';
import { knowBrowser } from './store.ts';

type Opened = { signedIn: SignedIn; browser: string };
/** Who signs in, and by what beside the password. */
type Proven = { row: UserRow; proof: Proof | 'passkey' | undefined };
type Parts = {
  db: Database;
  writer: Writer;
  guard: PasswordGuard;
  codes: Codes;
  accounts: AccountService;
  passkeys: PasskeyService;
};

/** Opens sessions. */
export class SignInService {
  readonly #parts: Parts;
  readonly #failures: SignInFailures;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#failures = new SignInFailures(parts.db, parts.writer);
  }

  /**
   * @throws Refusal badCredentials, accountWaiting, accountDeactivated, codeRequired, passkeyRequired, wrongCode,
   * tooManyAttempts
   */
  async signIn(credentials: Credentials, caller: Caller): Promise<Opened> {
    return this.#enter(credentials.email, caller, this.#check(credentials, caller));
  }

  beginByPasskey() {
    return this.#parts.passkeys.beginSignIn();
  }

  /** @throws Refusal passkeyRefused, accountWaiting, accountDeactivated, tooManyAttempts */
  async signInByPasskey({ answer }: { answer: PasskeyAnswer }, caller: Caller): Promise<Opened> {
    const { guard, passkeys } = this.#parts;
    const found = await passkeys.findOwner(answer);
    const proving = guard.attemptByPasskey(caller.network, async (): Promise<Proven> => {
      const row = await passkeys.check(answer, found);
      requireActive(row);
      return { row, proof: 'passkey' };
    });
    return this.#enter(found?.row.email, caller, proving);
  }

  /** Opens the session once the user is proven, and records who is not. */
  async #enter(
    email: string | undefined,
    caller: Caller,
    proving: Promise<Proven>,
  ): Promise<Opened> {
    const proven = await proving.catch(async (error: unknown) => {
      await this.#failures.note({ email, client: caller.network }, error);
      throw error;
    });
    return this.#parts.writer.run(null, (unit) => this.#open(unit, proven, caller));
  }

  #check({ email, password, code }: Credentials, { network: client, browser }: Caller) {
    const { db, guard, codes } = this.#parts;
    return guard.attempt({ email, client, browser }, async (): Promise<Proven> => {
      const found = await findUserByEmail(db, email);
      if (!(await isPasswordOf(found?.password_hash, password)) || !found)
        throw new Refusal('badCredentials');
      requireActive(found);
      return { row: found, proof: await codes.require(found, code) };
    });
  }

  async #open(unit: Unit, { row, proof }: Proven, caller: Caller): Promise<Opened> {
    const { address, agent, browser: before } = caller;
    const { token, sessionId } = await openSession(unit.trx, row.id, { address, agent });
    const session = { entity: 'session', entityId: sessionId, actorId: row.id } as const;
    const after = proof && { secondFactor: proof };
    await unit.record({ ...session, action: 'signedIn', ...(after && { after }) });
    const browser = await knowBrowser(unit.trx, row.id, before);
    const current = await this.#parts.accounts.describe(unit.trx, row);
    return { signedIn: { ...current, token }, browser };
  }
}

function requireActive({ approved, active }: UserRow): void {
  if (!approved) throw new Refusal('accountWaiting');
  if (!active) throw new Refusal('accountDeactivated');
}
