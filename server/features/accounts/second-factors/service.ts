import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { AuditEntry } from '../../../db/audit.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { FirmService } from '../../firm/service.ts';
import type { PasswordService } from '../passwords/service.ts';
import { needsFactor } from '../rules.ts';
import { about, type AccountService } from '../service.ts';
import type { Post } from '../service.post.ts';
import type { Caller, PasswordGuard } from '../signing-in/service.guard.ts';
import { lockUser } from '../store.ts';
import { deletePasskeysOf, deletePasskeysSince } from './store.passkeys.ts';
import * as rules from './rules.ts';
import { refuseCode, type Codes } from './service.codes.ts';
import * as store from './store.ts';

type Parts = {
  writer: Writer;
  guard: PasswordGuard;
  accounts: AccountService;
  passwords: PasswordService;
  codes: Codes;
  post: Post;
  firm: FirmService;
};

/** Turns authenticator apps on and off, and removes what a user lost. */
export class SecondFactorService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.accounts.events.onRecovery((unit, userId, since) => this.#forget(unit, userId, since));
  }

  /** @throws Refusal wrongPassword, totpOn, tooManyAttempts */
  async beginTotp(actor: Actor, { currentPassword }: { currentPassword: string }, caller: Caller) {
    const { codes, passwords, writer } = this.#parts;
    await passwords.requirePassword(actor, currentPassword, caller);
    const secret = rules.newSecret();
    const sealed = codes.seal(actor.id, secret);
    const isOff = await writer.run(actor, (unit) => store.insertTotp(unit.trx, actor.id, sealed));
    if (!isOff) throw new Refusal('totpOn');
    return { secret, url: rules.addressOf(secret, actor.email) };
  }

  /** @throws Refusal wrongCode, tooManyAttempts */
  async confirmTotp(actor: Actor, { code }: { code: string }, caller: Caller) {
    const { codes, writer } = this.#parts;
    const checked = await this.#guard(actor, caller, () => codes.checkPending(actor.id, code));
    return writer.run(actor, async (unit) => {
      if (!(await store.confirmTotp(unit.trx, actor.id, checked))) throw refuseCode('wrongCode');
      const recoveryCodes = await codes.renew(unit.trx, actor.id);
      await this.changed(unit, actor.id, { action: 'totpAdded' });
      return { recoveryCodes };
    });
  }

  /** @throws Refusal wrongPassword, wrongCode, lastFactor, tooManyAttempts */
  async endTotp(
    actor: Actor,
    { currentPassword, code }: { currentPassword: string; code: string },
    caller: Caller,
  ): Promise<void> {
    const { codes, passwords, writer } = this.#parts;
    await passwords.requirePassword(actor, currentPassword, caller);
    await this.#guard(actor, caller, () => codes.use(actor.id, code));
    await writer.run(actor, async (unit) => {
      await lockUser(unit.trx, actor.id);
      await store.deleteTotp(unit.trx, actor.id);
      const has = await this.changed(unit, actor.id, { action: 'totpRemoved' });
      if (has === 'none') await this.requireOptional(actor);
    });
  }

  /** For a user who lost the app and the recovery codes. @throws Refusal notPermitted, notFound */
  async remove(actor: Actor, id: string): Promise<void> {
    if (actor.role !== 'admin') throw new Refusal('notPermitted');
    const { post, writer } = this.#parts;
    await writer.run(actor, async (unit) => {
      const row = isId(id) ? await lockUser(unit.trx, id) : undefined;
      if (!row) throw notFound('User');
      if (row.second_factor === 'none') return;
      await store.deleteTotp(unit.trx, id);
      await deletePasskeysOf(unit.trx, id);
      await this.changed(unit, id, { action: 'secondFactorRemoved' });
      const { events } = this.#parts.accounts;
      await events.handled(unit, { person: row, by: actor, act: 'factorRemoved' });
      // The firm may demand one of this user.
      unit.afterCommit((realtime) => realtime.readmit(id));
      if (post.isOn) await post.add(unit, { letter: rules.writeRemoval(row.email, actor) });
    });
  }

  /** Passkeys from the time of a password that someone else may have known. */
  async #forget(unit: Unit, userId: string, since: Date): Promise<void> {
    if ((await deletePasskeysSince(unit.trx, userId, since)) > 0n)
      await this.changed(unit, userId, { action: 'passkeysRemoved' });
  }

  /** Wrong codes count as failed guesses. */
  #guard<T>(actor: Actor, { network: client, browser }: Caller, check: () => Promise<T>) {
    return this.#parts.guard.attempt({ email: actor.email, client, browser }, check);
  }

  /** The last factor stays while the firm demands one. @throws Refusal lastFactor */
  async requireOptional(actor: Actor): Promise<void> {
    if (needsFactor(actor, await this.#parts.firm.read())) throw new Refusal('lastFactor');
  }

  /** After a change of the user's app or passkeys. @returns what the user has now */
  async changed(
    unit: Unit,
    userId: string,
    entry: Pick<AuditEntry, 'action' | 'before' | 'after'>,
  ) {
    const has = await store.updateSecondFactor(unit.trx, userId);
    // Recovery codes stand in for a factor, and end with the last one.
    if (has === 'none') await store.replaceCodes(unit.trx, userId, []);
    await unit.record({ ...about({ id: userId }), ...entry });
    await this.#parts.accounts.emitOwner(unit, userId);
    return has;
  }
}
