import { errorCodes } from '@matterdesk/contract/errors.ts';
import { allow, type Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import type { Network } from '../../../core/network.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Database, Executor } from '../../../db/schema.ts';
import { fold } from '../../../db/search.ts';
import { endOtherSessions, endSessionsOf } from '../../../db/sessions.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { Client } from '../../../http/client.ts';
import type { Letter } from '../../../integrations/smtp/mailer.ts';
import { mayTake } from '../rules.ts';
import { atMost, type Limit } from '../rules.attempts.ts';
import { about, type AccountService } from '../service.ts';
import { hashPassword, isPasswordOf } from '../service.hashing.ts';
import type { Post } from '../service.post.ts';
import { requireStrong } from '../service.strength.ts';
import type { Caller, PasswordGuard } from '../signing-in/service.guard.ts';
import { accountKey } from '../signing-in/rules.ts';
import { forgetBrowsersOf, forgetFailures } from '../signing-in/store.ts';
import { takeRoom } from '../store.attempts.ts';
import * as accounts from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

type Parts = {
  db: Database;
  writer: Writer;
  guard: PasswordGuard;
  post: Post;
  accounts: Pick<AccountService, 'events'>;
  publicUrl: string;
};

const WHY = 'a password by someone else’s link pauses restricted matters';

/** Changes passwords, and makes links that set one. */
export class PasswordService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal wrongPassword, invalidInput, tooManyAttempts */
  async change(
    actor: Actor,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    caller: Caller,
  ): Promise<void> {
    await requireStrong(newPassword, actor, 'newPassword');
    await this.requirePassword(actor, currentPassword, caller);
    const hash = await hashPassword(newPassword);
    await this.#parts.writer.run(actor, async (unit) => {
      await accounts.updatePassword(unit.trx, actor.id, hash);
      await store.deleteLinksOf(unit.trx, actor.id);
      await endOtherSessions(unit.trx, actor.id, actor.sessionId);
      await unit.record({ ...about(actor), action: 'passwordChanged' });
      unit.afterCommit((realtime) =>
        realtime.endSessions({ userId: actor.id, except: actor.sessionId }, 'logout'),
      );
    });
  }

  /** Asks for the password again; a wrong one counts as a failed guess. @param path its member of the body @throws Refusal wrongPassword */
  async requirePassword(
    actor: Actor,
    password: string,
    { path = 'currentPassword', ...caller }: Caller & { path?: string },
  ): Promise<void> {
    const { db, guard } = this.#parts;
    const tried = { email: actor.email, client: caller.network, browser: caller.browser };
    await guard.attempt(tried, async () => {
      const row = await accounts.findUser(db, actor.id);
      if (await isPasswordOf(row?.password_hash, password)) return;
      const { message } = errorCodes.wrongPassword;
      throw new Refusal('wrongPassword', message, { errors: [{ path, message }] });
    });
  }

  /** For a page that covered itself. @throws Refusal wrongPassword, tooManyAttempts */
  unlock(actor: Actor, password: string, caller: Caller): Promise<void> {
    return this.requirePassword(actor, password, { ...caller, path: 'password' });
  }

  /** Takes the same time with an account and without: the link is made when the mail is sent. */
  async forgot(email: string, { address, network }: Client): Promise<void> {
    const { db, writer, post } = this.#parts;
    if (!post.isOn) return;
    for (const limit of [ofAddress(email), ofClient(network)])
      if ('wait' in (await takeRoom(db, limit))) return;
    const posted = { forgottenBy: email, askedFrom: address };
    await writer.run(null, (unit) => post.add(unit, posted));
  }

  /** The mail for a forgotten password, with a new link. */
  async writeForgotten(email: string, askedFrom: string): Promise<Letter | undefined> {
    const { db, writer } = this.#parts;
    const row = await accounts.findUserByEmail(db, email);
    if (!row?.active) return undefined;
    return writer.run(null, async (unit) => {
      const { token } = await store.insertLink(unit.trx, {
        userId: row.id,
        lifeMs: rules.MAILED_LINK_LIFE,
        madeBy: null,
      });
      await unit.record({ ...about(row), action: 'passwordLinkMailed', after: { askedFrom } });
      return rules.writeLink(row.email, { url: this.#urlOf(token), askedFrom });
    });
  }

  /** A link to hand over. @throws Refusal notPermitted, notFound, tooManyAttempts */
  async createLink(actor: Actor, id: string) {
    allow(actor, 'manageUsers');
    const { db, writer, accounts: own } = this.#parts;
    const row = isId(id) ? await accounts.findUser(db, id) : undefined;
    if (!row) throw notFound('User');
    if (!mayTake(actor, accounts.toUser(row))) throw new Refusal('notPermitted');
    const taken = await takeRoom(db, ofAddress(row.email));
    if ('wait' in taken)
      throw new Refusal('tooManyAttempts', undefined, { retryAfter: taken.wait });
    return writer.run(actor, async (unit) => {
      const { token, expiresAt } = await store.insertLink(unit.trx, {
        userId: id,
        lifeMs: rules.HANDED_LINK_LIFE,
        madeBy: actor.id === id ? null : actor.id,
      });
      await unit.record({ ...about({ id }), action: 'passwordLinkCreated' });
      await own.events.handled(unit, { person: row, by: actor, act: 'linkCreated' });
      return { url: this.#urlOf(token), expiresAt: expiresAt.toISOString() };
    });
  }

  #urlOf(token: string): string {
    return `${this.#parts.publicUrl}/reset-password/${token}`;
  }

  /** @throws Refusal linkDead, invalidInput */
  async reset({ token, password }: { token: string; password: string }): Promise<void> {
    const { db, writer } = this.#parts;
    const { row } = await this.#find(db, token);
    await requireStrong(password, accounts.toUser(row), 'password');
    const hash = await hashPassword(password);
    await writer.runAsSystem(null, WHY, (unit) => this.#reset(unit, row, { token, hash }));
  }

  /** @throws Refusal linkDead, also when its maker has fewer rights by now than its user, or none */
  async #find(db: Executor, token: string) {
    const link = await store.findLink(db, token);
    const row = link && (await accounts.findUser(db, link.user_id));
    const by = link?.made_by ?? null;
    const maker = by === null ? undefined : await accounts.findUser(db, by);
    const isValid =
      by === null ||
      (row && maker?.active && mayTake(accounts.toUser(maker), accounts.toUser(row)));
    if (!row || !isValid) throw new Refusal('linkDead');
    return { row, maker };
  }

  async #reset(
    unit: Unit,
    { id, email }: accounts.UserRow,
    { token, hash }: { token: string; hash: string },
  ) {
    // Locked, so that a link works once.
    await accounts.lockUser(unit.trx, id);
    const { row, maker } = await this.#find(unit.trx, token);
    const by = maker && { id: maker.id, firstName: maker.first_name, lastName: maker.last_name };
    await store.deleteLinksOf(unit.trx, id);
    await accounts.updatePassword(unit.trx, id, hash);
    await accounts.updatePasswordBy(unit.trx, id, by?.id ?? null);
    await endSessionsOf(unit.trx, id);
    await forgetBrowsersOf(unit.trx, id);
    await forgetFailures(unit.trx, accountKey(email));
    const after = by && { linkBy: by };
    await unit.record({
      ...about(row),
      action: 'passwordReset',
      actorId: id,
      ...(after && { after }),
    });
    const { events } = this.#parts.accounts;
    if (row.password_by_at) await events.recovered(unit, id, row.password_by_at);
    if (by) await events.handled(unit, { person: row, by, act: 'passwordSet' });
    unit.afterCommit((realtime) => realtime.endSessions({ userId: id }, 'logout'));
  }
}

function ofAddress(email: string): Limit {
  return limitOf(`link:${fold(email)}`, rules.LINKS_PER_ADDRESS);
}

function ofClient(client: Network): Limit {
  return limitOf(`links:${client}`, rules.LINKS_PER_CLIENT);
}

function limitOf(key: string, most: number): Limit {
  return { key, windowMs: rules.LINK_WINDOW, waitAfter: atMost(most) };
}
