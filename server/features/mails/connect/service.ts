// Connects and disconnects a user's Google account.

import { createHash, randomBytes } from 'node:crypto';
import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { Refusal } from '../../../core/refusal.ts';
import { fold } from '../../../db/search.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { toGoogleFailure } from '../../../integrations/google/failure.ts';
import { Mailbox } from '../../../integrations/google/mailbox.ts';
import { SCOPE, type Tokens } from '../../../integrations/google/sign-in.ts';
import { emitOwner, readCurrentUser, requireActive } from '../../accounts/service.ts';
import * as rules from '../rules.ts';
import {
  type Google,
  googleOf,
  mailSecretBoxOf,
  removeGrant,
  toRefusal,
} from '../service.access.ts';
import * as store from '../store.ts';

type GoogleCallback = { code: string; state: string };

/** A token to revoke; `email` is null for an unknown account. */
type Revocation = {
  refreshToken: string;
  email: string | null;
  /** True while Google pushes changes of the mailbox. */
  isWatched: boolean;
};

/** Purposes of encryption: a text is decrypted for its own purpose only. */
const REVOCATION = 'google revocation';
const statePurpose = (sessionId: string) => `google state of ${sessionId}`;

const EXPIRED = 'This Google sign-in has expired or was already used. Connect Google again.';
const NOT_ACCEPTED = 'Google rejected the sign-in. Connect Google again.';
const NO_SCOPE =
  'Matterdesk can’t read and send your email yet. Connect Google again and leave every box checked.';

/** Google's consent URL for this session, valid once within ten minutes. */
export async function startConnecting(context: ActorContext): Promise<string> {
  const state = randomBytes(32).toString('base64url');
  const verifier = randomBytes(48).toString('base64url');
  await store.purgeStates(context.db);
  await store.insertState(context.db, {
    sessionId: context.actor.sessionId,
    hash: hashOf(state),
    verifier: mailSecretBoxOf(context).encrypt(verifier, statePurpose(context.actor.sessionId)),
  });
  const { signIn } = requireGoogle(context);
  return signIn.authorizationUrl({ state, verifier, loginHint: context.actor.email });
}

/**
 * Exchanges Google's code for tokens. The state is used once, even by parallel calls.
 * @throws Refusal invalidInput for another session's state, googleScopesMissing without the permissions
 */
export async function finishConnecting(
  context: ActorContext,
  returned: GoogleCallback,
): Promise<CurrentUser> {
  const verifier = await takeVerifier(context, returned.state);
  const tokens = await exchangeCode(context, returned.code, verifier);
  if (!tokens.scopes.includes(SCOPE)) {
    await revokeUnusable(context, tokens);
    throw new Refusal('googleScopesMissing', NO_SCOPE);
  }
  const { email, historyId } = await readProfile(context, tokens);
  // Without an address from Google it is the suggested account.
  const profile = { email: email ?? tokens.email ?? context.actor.email, historyId };
  await keepGrant(context, tokens, profile);
  return readCurrentUser(context);
}

async function takeVerifier(context: ActorContext, state: string): Promise<string> {
  const { sessionId } = context.actor;
  const taken = await store.takeState(context.db, { sessionId, hash: hashOf(state) });
  const verifier = taken && mailSecretBoxOf(context).decrypt(taken, statePurpose(sessionId));
  if (verifier === undefined) throw new Refusal('invalidInput', EXPIRED);
  return verifier;
}

async function exchangeCode(context: Context, code: string, verifier: string): Promise<Tokens> {
  try {
    return await requireGoogle(context).signIn.exchange(code, verifier);
  } catch (error) {
    const failure = toGoogleFailure(error);
    if (failure.reason === 'badCode') throw new Refusal('invalidInput', NOT_ACCEPTED);
    throw toRefusal(failure);
  }
}

async function readProfile(context: Context, tokens: Tokens) {
  const { config, signIn } = requireGoogle(context);
  try {
    const mailbox = await Mailbox.open(await signIn.open(tokens), config);
    return await mailbox.readProfile();
  } catch (error) {
    throw toRefusal(error);
  }
}

async function keepGrant(
  context: ActorContext,
  tokens: Tokens,
  profile: { email: string; historyId: string },
) {
  await write(context, async (unit) => {
    await requireActive(unit.trx, context.actor);
    const before = await store.lockGrant(unit.trx, context.actor.id);
    // Google revokes all tokens of an account together, so an old token of the same account is kept.
    if (before && before.email_key !== fold(profile.email))
      await revokeLater(context, unit, before);
    const grant = {
      user_id: context.actor.id,
      email: profile.email,
      refresh_token: mailSecretBoxOf(context).encrypt(
        tokens.refreshToken,
        rules.grantPurpose(context.actor.id),
      ),
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
    if (requireGoogle(context).config.push)
      await context.queue.add(unit, 'watch', [context.actor.id]);
    await emitOwner(unit, context.actor.id);
  });
}

/** Revokes an insufficient grant, unless the user is connected already: Google could revoke both. */
async function revokeUnusable(context: ActorContext, { refreshToken }: Tokens): Promise<void> {
  if (await store.findGrant(context.db, context.actor.id)) return;
  const revocation = { refreshToken, email: null, isWatched: false };
  await write(context, (unit) => queueRevocation(context, unit, revocation));
}

export async function disconnectMailbox(context: ActorContext): Promise<CurrentUser> {
  await write(context, (unit) => disconnectUser(context, unit, context.actor.id));
  return readCurrentUser(context);
}

/** Deletes the grant at once and revokes it at Google in a job. */
export async function disconnectUser(context: Context, unit: Unit, userId: string): Promise<void> {
  const grant = await store.lockGrant(unit.trx, userId);
  if (!grant || !(await removeGrant(context, unit, grant))) return;
  await revokeLater(context, unit, grant);
  await unit.record({ ...rules.about(grant), action: 'disconnected' });
}

async function revokeLater(context: Context, unit: Unit, grant: store.GrantRow): Promise<void> {
  const { user_id: userId, email, watched_until: watched } = grant;
  const refreshToken = mailSecretBoxOf(context).decrypt(
    grant.refresh_token,
    rules.grantPurpose(userId),
  );
  // Encrypted under a lost key, so it can be neither used nor revoked from here.
  if (refreshToken === undefined) return;
  await queueRevocation(context, unit, { refreshToken, email, isWatched: watched !== null });
}

async function queueRevocation(context: Context, unit: Unit, revocation: Revocation) {
  const encrypted = mailSecretBoxOf(context).encrypt(JSON.stringify(revocation), REVOCATION);
  await context.queue.add(unit, 'revoke', [encrypted.toString('base64')]);
}

/** Revokes the tokens of a disconnected account at Google. */
export async function revokeTokens(context: Context, google: Google, encrypted: string) {
  const opened = mailSecretBoxOf(context).decrypt(Buffer.from(encrypted, 'base64'), REVOCATION);
  // Encrypted under a lost key, so it is unusable.
  if (opened === undefined) return;
  const { refreshToken, email, isWatched } = JSON.parse(opened) as Revocation;
  // Google revokes all tokens of an account together, so other users of it would lose theirs.
  if (email !== null && (await store.hasGrantOf(context.db, email))) return;
  if (isWatched) await stopWatch(google, refreshToken);
  await google.signIn.revoke(refreshToken);
}

/** Otherwise Google pushes changes of the mailbox for up to a week. */
async function stopWatch({ config, signIn }: Google, refreshToken: string): Promise<void> {
  const mailbox = await Mailbox.open(await signIn.open({ refreshToken }), config);
  await mailbox.stopWatch().catch(() => undefined);
}

function requireGoogle(context: Context): Google {
  const google = googleOf(context);
  if (!google) throw new Refusal('notConfigured');
  return google;
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
