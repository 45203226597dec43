import type { Registration } from '@matterdesk/contract/accounts.ts';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { RegistrationMode, RegistrationTerms } from '@matterdesk/contract/registration.ts';
import type { Network } from '../../../core/network.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Database, Executor } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import { namesOfUser, saveNames } from '../../conflicts/names/service.ts';
import { findOpenByToken, isInvited, useInvitation } from '../invitations/store.ts';
import { addressTaken, admit, type Admission } from '../rules.ts';
import { about, emitUser } from '../service.ts';
import { hashPassword } from '../service.hashing.ts';
import { requireStrong } from '../service.strength.ts';
import { atMost, type Limit } from '../rules.attempts.ts';
import { forgetAttempt, takeRoom } from '../store.attempts.ts';
import * as accounts from '../store.ts';
import * as rules from './rules.ts';

type Options = {
  mode: RegistrationMode;
  /** Only this machine reaches the server. */
  isLocal: boolean;
  secretKey: string;
  sendsMail: boolean;
};

type Admitted = Exclude<Admission, 'closed'> & {
  invitation?: { id: string; permissions: Partial<Permissions> };
};

/** Makes accounts. Everything that needs no hash is decided before one is computed. */
export class RegistrationService {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #options: Options;
  readonly #setupCode: string;

  constructor(db: Database, writer: Writer, options: Options) {
    this.#db = db;
    this.#writer = writer;
    this.#options = options;
    this.#setupCode = rules.setupCodeOf(options.secretKey);
  }

  /** @param invitation the token of a link: the reply names its address */
  async readTerms(invitation?: string): Promise<RegistrationTerms> {
    const { mode, sendsMail: mail } = this.#options;
    const found = invitation ? await findOpenByToken(this.#db, invitation) : undefined;
    const needsSetupCode = await this.#needsSetupCode();
    return { mode, needsSetupCode, mail, ...(found && { invited: found.email }) };
  }

  /** What the start prints: the mode and, while no account exists, who may come first. */
  async describe(): Promise<string[]> {
    const mode = { open: 'open to everyone', approval: 'by approval', closed: 'closed' };
    const lines = [`Registration is ${mode[this.#options.mode]}`];
    if (await accounts.hasUsers(this.#db)) return lines;
    if (!(await this.#needsSetupCode()))
      return [...lines, 'No account exists yet: the first person to register needs no code'];
    const first = 'No account exists yet: the first one is an admin and needs the setup code';
    return [...lines, first, `Setup code: ${this.#setupCode}`];
  }

  async #needsSetupCode(): Promise<boolean> {
    const { mode, isLocal } = this.#options;
    return mode !== 'open' && !isLocal && !(await accounts.hasUsers(this.#db));
  }

  /**
   * @throws Refusal registrationClosed, setupCodeWrong, tooManyAttempts, invalidInput, alreadyExists
   */
  async register(input: Registration, client: Network): Promise<{ id: string }> {
    if (!input.invitation) await this.#requireSetupCode(input, client);
    await this.#admit(this.#db, input);
    if (await accounts.findUserByEmail(this.#db, input.email)) throw addressTaken();
    await requireStrong(input.password, input, 'password');
    const place = await this.#takePlace(client);
    try {
      const passwordHash = await hashPassword(input.password);
      return await this.#writer.run(null, (unit) => this.#insert(unit, input, passwordHash));
    } catch (error) {
      if (place !== undefined) await forgetAttempt(this.#db, place);
      throw error;
    }
  }

  async #admit(db: Executor, { email, role, invitation }: Registration): Promise<Admitted> {
    if (invitation) return this.#admitInvited(db, email, invitation);
    const admission = admit(this.#options.mode, !(await accounts.hasUsers(db)), role);
    if (admission === 'closed') throw new Refusal('registrationClosed');
    if (await isInvited(db, email)) throw new Refusal('invited');
    return admission;
  }

  /** An invitation is bound to its address, and works in every mode. */
  async #admitInvited(db: Executor, email: string, token: string): Promise<Admitted> {
    const found = await findOpenByToken(db, token);
    if (!found || found.email_key !== fold(email)) throw new Refusal('invitationDead');
    const { role, permissions } = found;
    return { role, approved: true, invitation: { id: found.id, permissions } };
  }

  async #requireSetupCode({ setupCode = '' }: Registration, client: Network) {
    if (!(await this.#needsSetupCode())) return;
    const id = await this.#take({
      key: `setup:${client}`,
      windowMs: rules.SETUP_CODE_WINDOW,
      waitAfter: atMost(rules.SETUP_CODES_PER_CLIENT),
    });
    const isRight = rules.isSetupCode(setupCode, this.#setupCode);
    // A missing code is no guess.
    if (isRight || setupCode === '') await forgetAttempt(this.#db, id);
    if (isRight) return;
    const { message } = errorCodes.setupCodeWrong;
    throw new Refusal('setupCodeWrong', message, { errors: [{ path: 'setupCode', message }] });
  }

  /** @returns the place among the accepted registrations, or undefined without a limit */
  async #takePlace(client: Network): Promise<string | undefined> {
    if (this.#options.isLocal) return undefined;
    return this.#take({
      key: `register:${client}`,
      windowMs: rules.REGISTRATION_WINDOW,
      waitAfter: atMost(rules.REGISTRATIONS_PER_CLIENT),
    });
  }

  async #take(limit: Limit): Promise<string> {
    const taken = await takeRoom(this.#db, limit);
    if ('id' in taken) return taken.id;
    throw new Refusal('tooManyAttempts', undefined, { retryAfter: taken.wait });
  }

  async #insert(unit: Unit, input: Registration, passwordHash: string): Promise<{ id: string }> {
    await accounts.lockAdmins(unit.trx);
    const { role, approved, invitation } = await this.#admit(unit.trx, input);
    if (invitation && !(await useInvitation(unit.trx, invitation.id)))
      throw new Refusal('invitationDead');
    const row = await accounts.insertUser(unit.trx, {
      first_name: input.firstName,
      last_name: input.lastName,
      email: input.email,
      phone_number: input.phoneNumber,
      role,
      active: approved,
      approved,
      password_hash: passwordHash,
      ...(invitation && { permissions: invitation.permissions }),
    });
    if (!row) throw addressTaken();
    const user = accounts.toUser(row);
    await saveNames(unit.trx, [namesOfUser(user)]);
    await unit.record({ ...about(user), action: 'created', after: user, actorId: user.id });
    emitUser(unit, 'user.created', row);
    return { id: row.id };
  }
}
