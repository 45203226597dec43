import type { Credentials, SignedIn } from '@matterdesk/contract/accounts.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import { openSession, type Place } from '../../../db/sessions.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import { toCurrentUser } from '../service.ts';
import { isPasswordOf } from '../service.hashing.ts';
import * as accounts from '../store.ts';
import { SignInFailures } from './service.failures.ts';
import type { PasswordGuard } from './service.guard.ts';
import { knowBrowser } from './store.ts';

/** Where a user signs in, and the token of the browser's cookie. */
export type Caller = Place & { browser?: string | undefined };
type Opened = { signedIn: SignedIn; browser: string };

/** Opens sessions. */
export class SignInService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #guard: PasswordGuard;
  readonly #failures: SignInFailures;

  constructor(db: Database, writer: Writer, guard: PasswordGuard) {
    this.#db = db;
    this.#writer = writer;
    this.#guard = guard;
    this.#failures = new SignInFailures(db, writer);
  }

  /** @throws Refusal badCredentials, accountWaiting, accountDeactivated, tooManyAttempts */
  async signIn(credentials: Credentials, caller: Caller): Promise<Opened> {
    const row = await this.#check(credentials, caller).catch(async (error: unknown) => {
      await this.#failures.note({ email: credentials.email, address: caller.address }, error);
      throw error;
    });
    return this.#writer.run(null, (unit) => this.#open(unit, row, caller));
  }

  #check({ email, password }: Credentials, { address: client, browser }: Caller) {
    return this.#guard.attempt({ email, client, browser }, async () => {
      const found = await accounts.findUserByEmail(this.#db, email);
      if (!(await isPasswordOf(found?.password_hash, password)) || !found)
        throw new Refusal('badCredentials');
      if (!found.approved) throw new Refusal('accountWaiting');
      if (!found.active) throw new Refusal('accountDeactivated');
      return found;
    });
  }

  async #open(unit: Unit, row: accounts.UserRow, caller: Caller): Promise<Opened> {
    const { address, agent, browser: before } = caller;
    const { token, sessionId } = await openSession(unit.trx, row.id, { address, agent });
    const session = { entity: 'session', entityId: sessionId, actorId: row.id } as const;
    await unit.record({ ...session, action: 'signedIn' });
    const browser = await knowBrowser(unit.trx, row.id, before);
    const connections = await accounts.findConnections(unit.trx, row.id);
    return { signedIn: { ...toCurrentUser(row, connections), token }, browser };
  }
}
