import type { NewPasskey, PasskeyAnswer } from '@matterdesk/contract/passkeys.ts';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Database } from '../../../db/schema.ts';
import type { Writer } from '../../../db/unit-of-work.ts';
import type { PasswordService } from '../passwords/service.ts';
import type { Caller, PasswordGuard } from '../signing-in/service.guard.ts';
import { findUser, lockUser, type UserRow } from '../store.ts';
import type { Codes } from './service.codes.ts';
import type { SecondFactorService } from './service.ts';
import type { WebAuthn } from './service.webauthn.ts';
import * as store from './store.passkeys.ts';

type Parts = {
  db: Database;
  writer: Writer;
  guard: PasswordGuard;
  passwords: PasswordService;
  codes: Codes;
  webAuthn: WebAuthn;
  factors: SecondFactorService;
};

/** Adds, lists and removes passkeys. */
export class PasskeyService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal wrongPassword, tooManyAttempts */
  async begin(actor: Actor, { currentPassword }: { currentPassword: string }, caller: Caller) {
    const { db, passwords, webAuthn } = this.#parts;
    await passwords.requirePassword(actor, currentPassword, caller);
    return webAuthn.askForNew(actor, await store.listPasskeys(db, actor.id));
  }

  /** @throws Refusal passkeyRefused */
  async add(actor: Actor, { answer, name }: NewPasskey) {
    const { writer, codes, webAuthn, factors } = this.#parts;
    const {
      id,
      publicKey,
      counter,
      transports = [],
    } = await webAuthn.readNew(answer, actor.sessionId);
    return writer.run(actor, async (unit) => {
      await lockUser(unit.trx, actor.id);
      const isFirst = (await store.listPasskeys(unit.trx, actor.id)).length === 0;
      const row = await store.insertPasskey(unit.trx, {
        user_id: actor.id,
        credential_id: id,
        public_key: Buffer.from(publicKey),
        counter,
        transports,
        name,
      });
      if (!row) throw new Refusal('passkeyRefused');
      const recoveryCodes = isFirst ? await codes.renew(unit.trx, actor.id) : undefined;
      await factors.changed(unit, actor.id, { action: 'passkeyAdded', after: { name } });
      return { passkey: store.toPasskey(row), recoveryCodes };
    });
  }

  async list(actor: Actor) {
    const rows = await store.listPasskeys(this.#parts.db, actor.id);
    return { passkeys: rows.map(store.toPasskey) };
  }

  /** @throws Refusal wrongPassword, notFound, lastFactor, tooManyAttempts */
  async remove(
    actor: Actor,
    { id, currentPassword }: { id: string; currentPassword: string },
    caller: Caller,
  ): Promise<void> {
    const { passwords, writer, factors } = this.#parts;
    await passwords.requirePassword(actor, currentPassword, caller);
    await writer.run(actor, async (unit) => {
      await lockUser(unit.trx, actor.id);
      const name = isId(id) ? await store.deletePasskey(unit.trx, actor.id, id) : undefined;
      if (name === undefined) throw notFound('Passkey');
      const entry = { action: 'passkeyRemoved', before: { name } };
      const has = await factors.changed(unit, actor.id, entry);
      if (has === 'none') await factors.requireOptional(actor);
    });
  }

  /** The passkey that a browser answers with, and its user. */
  async findOwner({ id }: PasskeyAnswer) {
    const { db } = this.#parts;
    const passkey = await store.findPasskey(db, id);
    const row = passkey && (await findUser(db, passkey.user_id));
    return row && { passkey, row };
  }

  /** For a page that covered itself. @throws Refusal passkeyRefused, also for others' passkeys, and tooManyAttempts */
  async unlock(actor: Actor, answer: PasskeyAnswer, { network }: Caller): Promise<void> {
    const found = await this.findOwner(answer);
    const own = found?.row.id === actor.id ? found : undefined;
    await this.#parts.guard.attemptByPasskey(network, () => this.check(answer, own));
  }

  beginSignIn() {
    return this.#parts.webAuthn.askToSignIn();
  }

  /** @throws Refusal passkeyRefused */
  async check(
    answer: PasskeyAnswer,
    found: { passkey: store.PasskeyRow; row: UserRow } | undefined,
  ): Promise<UserRow> {
    if (!found) throw new Refusal('passkeyRefused');
    const { db, webAuthn } = this.#parts;
    const counter = await webAuthn.readSignIn(answer, found.passkey);
    await store.markUsed(db, found.passkey.id, counter);
    return found.row;
  }
}
