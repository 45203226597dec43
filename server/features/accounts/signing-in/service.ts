import type { Credentials, SignedIn } from '@matterdesk/contract/accounts.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import { openSession, type Place } from '../../../db/sessions.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { Codes, Proof } from '../second-factors/service.codes.ts';
import type { AccountService } from '../service.ts';
import { isPasswordOf } from '../service.hashing.ts';
import { findUserByEmail, type UserRow } from '../store.ts';
import { SignInFailures } from './service.failures.ts';
import type { PasswordGuard } from './service.guard.ts';
import { knowBrowser } from './store.ts';

/** Where a user signs in, and the token of the browser's cookie. */
export type Caller = Place & { browser?: string | undefined };
type Opened = { signedIn: SignedIn; browser: string };
/** Who signs in, and by what beside the password. */
type Proven = { row: UserRow; proof: Proof | undefined };
type Parts = {
  db: Database;
  writer: Writer;
  guard: PasswordGuard;
  codes: Codes;
  accounts: AccountService;
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
    const proven = await this.#check(credentials, caller).catch(async (error: unknown) => {
      await this.#failures.note({ email: credentials.email, address: caller.address }, error);
      throw error;
    });
    return this.#parts.writer.run(null, (unit) => this.#open(unit, proven, caller));
  }

  #check({ email, password, code }: Credentials, { address: client, browser }: Caller) {
    const { db, guard, codes } = this.#parts;
    return guard.attempt({ email, client, browser }, async (): Promise<Proven> => {
      const found = await findUserByEmail(db, email);
      if (!(await isPasswordOf(found?.password_hash, password)) || !found)
        throw new Refusal('badCredentials');
      if (!found.approved) throw new Refusal('accountWaiting');
      if (!found.active) throw new Refusal('accountDeactivated');
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
