// Connecting and disconnecting a Google account.

import { createHash, randomBytes } from 'node:crypto';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { fold } from '../../../db/search.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { Actor } from '../../../core/actor.ts';
import { Refusal } from '../../../core/refusal.ts';
import { toGoogleFailure } from '../../../integrations/google/failure.ts';
import { Mailbox } from '../../../integrations/google/mailbox.ts';
import { SCOPE, type Tokens } from '../../../integrations/google/sign-in.ts';
import type { Queue } from '../../../jobs/queue.ts';
import { toRefusal, type AccessParts, type Google, type MailAccess } from '../service.access.ts';
import * as rules from '../rules.ts';
import * as store from '../store.ts';

export type ConnectingParts = AccessParts & { access: MailAccess; queue: Queue };
type Returned = { code: string; state: string };

const EXPIRED = 'This Google sign-in has expired or was already used. Connect Google again.';
const NOT_ACCEPTED = 'Google rejected the sign-in. Connect Google again.';
const NO_SCOPE =
  'Matterdesk can’t read and send your email yet. Connect Google again and leave every box checked.';

/** Connects and disconnects Google accounts of users. */
export class ConnectingService {
  readonly #parts: ConnectingParts;

  constructor(parts: ConnectingParts) {
    this.#parts = parts;
  }

  /** Google's consent URL for this session, valid once within ten minutes. */
  async start(actor: Actor): Promise<string> {
    const { db, seal } = this.#parts;
    const state = randomBytes(32).toString('base64url');
    const verifier = randomBytes(48).toString('base64url');
    await store.purgeStates(db);
    await store.insertState(db, {
      sessionId: actor.sessionId,
      hash: hashOf(state),
      verifier: seal.close(verifier, rules.statePurpose(actor.sessionId)),
    });
    const { signIn } = this.#google();
    return signIn.authorizationUrl({ state, verifier, loginHint: actor.email });
  }

  /**
   * Exchanges Google's code for tokens. The state is used once, even by parallel calls.
   * @throws Refusal invalidInput for another session's state, googleScopesMissing without the permissions
   */
  async finish(actor: Actor, returned: Returned): Promise<CurrentUser> {
    const verifier = await this.#takeVerifier(actor, returned.state);
    const tokens = await this.#exchange(returned.code, verifier);
    if (!tokens.scopes.includes(SCOPE)) {
      await this.#revokeUnusable(actor, tokens);
      throw new Refusal('googleScopesMissing', NO_SCOPE);
    }
    const { email, historyId } = await this.#readProfile(tokens);
    // Without an address from Google it is the suggested account.
    const profile = { email: email ?? tokens.email ?? actor.email, historyId };
    await this.#keep(actor, tokens, profile);
    this.#parts.queue.wake();
    return this.#parts.accounts.readCurrentUser(actor);
  }

  async #takeVerifier({ sessionId }: Actor, state: string): Promise<string> {
    const { db, seal } = this.#parts;
    const taken = await store.takeState(db, { sessionId, hash: hashOf(state) });
    const verifier = taken && seal.open(taken, rules.statePurpose(sessionId));
    if (verifier === undefined) throw new Refusal('invalidInput', EXPIRED);
    return verifier;
  }

  async #exchange(code: string, verifier: string): Promise<Tokens> {
    try {
      return await this.#google().signIn.exchange(code, verifier);
    } catch (error) {
      const failure = toGoogleFailure(error);
      if (failure.reason === 'badCode') throw new Refusal('invalidInput', NOT_ACCEPTED);
      throw toRefusal(failure);
    }
  }

  async #readProfile(tokens: Tokens) {
    const { config, signIn } = this.#google();
    try {
      const mailbox = await Mailbox.open(await signIn.open(tokens), config);
      return await mailbox.readProfile();
    } catch (error) {
      throw toRefusal(error);
    }
  }

  async #keep(actor: Actor, tokens: Tokens, profile: { email: string; historyId: string }) {
    const { seal, writer, accounts, queue } = this.#parts;
    await writer.run(actor, async (unit) => {
      await accounts.requireActive(unit.trx, actor);
      const before = await store.lockGrant(unit.trx, actor.id);
      // Google revokes all tokens of an account together, so an old token of the same account is kept.
      if (before && before.email_key !== fold(profile.email)) await this.#revokeLater(unit, before);
      const grant = {
        user_id: actor.id,
        email: profile.email,
        refresh_token: seal.close(tokens.refreshToken, rules.grantPurpose(actor.id)),
        fingerprint: randomBytes(9).toString('base64url'),
        scopes: tokens.scopes.join(' '),
        history_id: profile.historyId,
      };
      await store.putGrant(unit.trx, grant);
      await unit.record({
        ...rules.about(grant),
        action: 'connected',
        after: { email: grant.email },
      });
      if (this.#google().config.push) await queue.add(unit.trx, 'watch', actor.id);
      await accounts.emitOwner(unit, actor.id);
    });
  }

  /** Revokes an insufficient grant, unless the user is connected already: Google could revoke both. */
  async #revokeUnusable(actor: Actor, { refreshToken }: Tokens): Promise<void> {
    const { db, seal, writer, queue } = this.#parts;
    if (await store.findGrant(db, actor.id)) return;
    const revocation: rules.Revocation = { refreshToken, email: null, isWatched: false };
    const sealed = seal.close(JSON.stringify(revocation), rules.REVOCATION);
    await writer.run(actor, (unit) => queue.add(unit.trx, 'revoke', sealed.toString('base64')));
    queue.wake();
  }

  async disconnect(actor: Actor): Promise<CurrentUser> {
    await this.#parts.writer.run(actor, (unit) => this.leave(unit, actor.id));
    return this.#parts.accounts.readCurrentUser(actor);
  }

  /** Deletes the grant at once and revokes it at Google in a job. */
  async leave(unit: Unit, userId: string): Promise<void> {
    const { access, queue } = this.#parts;
    const grant = await store.lockGrant(unit.trx, userId);
    if (!grant || !(await access.remove(unit, grant))) return;
    await this.#revokeLater(unit, grant);
    await unit.record({ ...rules.about(grant), action: 'disconnected' });
    unit.afterCommit(() => queue.wake());
  }

  async #revokeLater(unit: Unit, grant: store.GrantRow): Promise<void> {
    const { seal, queue } = this.#parts;
    const refreshToken = seal.open(grant.refresh_token, rules.grantPurpose(grant.user_id));
    // Sealed under a lost key, so it can be neither used nor revoked from here.
    if (refreshToken === undefined) return;
    const { email, watched_until: watched } = grant;
    const revocation: rules.Revocation = { refreshToken, email, isWatched: watched !== null };
    const sealed = seal.close(JSON.stringify(revocation), rules.REVOCATION);
    await queue.add(unit.trx, 'revoke', sealed.toString('base64'));
  }

  #google(): Google {
    const { google } = this.#parts;
    if (!google) throw new Refusal('notConfigured');
    return google;
  }
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
