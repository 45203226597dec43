// Signs users in and out, and shows them where they are signed in.

import type { Credentials, SignedIn } from '@matterdesk/contract/accounts.ts';
import type { Session } from '@matterdesk/contract/devices.ts';
import type { PasskeyAnswer } from '@matterdesk/contract/second-factors.ts';
import { type ActorContext, type Context, perContext, write } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import type { Network } from '../../../core/origin.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import { endOtherSessions, endSession, openSession } from '../../../db/sessions.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { isPasswordOf } from '../passwords/service.ts';
import { checkPasskey, findPasskeyOwner } from '../second-factors/service.passkeys.ts';
import { type Proof, requireCode } from '../second-factors/service.ts';
import { attemptByPasskey, attemptPassword, type Caller } from '../service.attempts.ts';
import { about, describeUser, sessionTerms } from '../service.ts';
import { rememberBrowser } from '../store.attempts.ts';
import { findUserByEmail, type UserRow } from '../store.ts';
import * as store from '../store.ts';

export type OpenedSession = { signedIn: SignedIn; browser: string };
/** A user who proved their identity, and the factor beside the password. */
type ProvenSignIn = { row: UserRow; proof: Proof | 'passkey' | undefined };

/** Milliseconds between two audit entries about one slowed guesser, who would fill the log otherwise. */
const SLOWED_PAUSE_MS = 60_000;
/** Slowed guessers in memory. */
const MAX_SLOWED = 10_000;

/** Not failures: the password was right, and the second factor is still to come. */
const HALFWAY_CODES = new Set<Refusal['code']>(['codeRequired', 'passkeyRequired']);

/** Without an address for a passkey that no account has. */
type FailedSignIn = { email: string | undefined; client: Network };

const slowedOf = perContext(() => new Map<string, number>());

/**
 * @throws Refusal badCredentials, accountWaiting, accountDeactivated, codeRequired, passkeyRequired, wrongCode,
 * tooManyAttempts
 */
export async function signIn(
  context: Context,
  credentials: Credentials,
  caller: Caller,
): Promise<OpenedSession> {
  return openOnceProven(context, caller, {
    email: credentials.email,
    attempt: checkProof(context, credentials, caller),
  });
}

/** @throws Refusal passkeyRefused, accountWaiting, accountDeactivated, tooManyAttempts */
export async function signInByPasskey(
  context: Context,
  { answer }: { answer: PasskeyAnswer },
  caller: Caller,
): Promise<OpenedSession> {
  const found = await findPasskeyOwner(context, answer);
  const attempt = attemptByPasskey(context, caller.network, async (): Promise<ProvenSignIn> => {
    const row = await checkPasskey(context, answer, found);
    requireActive(row);
    return { row, proof: 'passkey' };
  });
  return openOnceProven(context, caller, { email: found?.row.email, attempt });
}

export async function signOut(context: ActorContext): Promise<void> {
  const { sessionId } = context.actor;
  await write(context, async (unit) => {
    await endSession(unit.trx, sessionId);
    await unit.record({ action: 'ended', entity: 'session', entityId: sessionId });
    unit.afterCommit((realtime) => realtime.endSessions({ sessionId }, 'logout'));
  });
}

export async function listDevices(context: ActorContext): Promise<{ sessions: Session[] }> {
  const terms = await sessionTerms(context);
  const rows = await store.listSessions(context.db, context.actor.id, terms);
  return { sessions: rows.map((row) => toSession(row, context.actor.sessionId)) };
}

/** @throws Refusal notFound */
export async function endDevice(context: ActorContext, id: string): Promise<void> {
  if (!isId(id)) throw notFound('Session');
  await write(context, async (unit) => {
    if (!(await store.deleteSession(unit.trx, context.actor.id, id))) throw notFound('Session');
    await unit.record({ entity: 'session', entityId: id, action: 'ended' });
    unit.afterCommit((realtime) => realtime.endSessions({ sessionId: id }, 'logout'));
  });
}

export async function endOtherDevices(context: ActorContext): Promise<void> {
  const { id: userId, sessionId } = context.actor;
  await write(context, async (unit) => {
    await endOtherSessions(unit.trx, userId, sessionId);
    await unit.record({ ...about(context.actor), action: 'sessionsEnded' });
    unit.afterCommit((realtime) => realtime.endSessions({ userId, except: sessionId }, 'logout'));
  });
}

/** Opens the session once the user is proven, and records a failure otherwise. */
async function openOnceProven(
  context: Context,
  caller: Caller,
  { email, attempt }: { email: string | undefined; attempt: Promise<ProvenSignIn> },
): Promise<OpenedSession> {
  const proven = await attempt.catch(async (error: unknown) => {
    await noteFailure(context, { email, client: caller.network }, error);
    throw error;
  });
  return context.writer.run(null, (unit) => beginSession(context, unit, { ...proven, caller }));
}

function checkProof(
  context: Context,
  { email, password, code }: Credentials,
  { network: client, browser }: Caller,
) {
  const { db } = context;
  return attemptPassword(context, { email, client, browser }, async (): Promise<ProvenSignIn> => {
    const found = await findUserByEmail(db, email);
    if (!(await isPasswordOf(found?.password_hash, password)) || !found)
      throw new Refusal('badCredentials');
    requireActive(found);
    return { row: found, proof: await requireCode(context, found, code) };
  });
}

async function beginSession(
  context: Context,
  unit: Unit,
  { row, proof, caller }: ProvenSignIn & { caller: Caller },
): Promise<OpenedSession> {
  const { address, agent, browser: before } = caller;
  const { token, sessionId } = await openSession(unit.trx, row.id, { address, agent });
  const session = { entity: 'session', entityId: sessionId, actorId: row.id } as const;
  const after = proof && { secondFactor: proof };
  await unit.record({ ...session, action: 'signedIn', ...(after && { after }) });
  const browser = await rememberBrowser(unit.trx, row.id, before);
  const current = await describeUser(context, unit.trx, row);
  return { signedIn: { ...current, token }, browser };
}

function requireActive({ approved, active }: UserRow): void {
  if (!approved) throw new Refusal('accountWaiting');
  if (!active) throw new Refusal('accountDeactivated');
}

/** Names the address only if it belongs to an account. */
async function noteFailure(context: Context, tried: FailedSignIn, error: unknown): Promise<void> {
  const isSlowed = error instanceof Refusal && error.code === 'tooManyAttempts';
  const isFailed =
    error instanceof Refusal && [401, 403].includes(error.status) && !HALFWAY_CODES.has(error.code);
  if (!isFailed && !(isSlowed && rememberFailure(context, tried))) return;
  const { email } = tried;
  const account = email === undefined ? undefined : await findUserByEmail(context.db, email);
  await context.writer.run(null, (unit) =>
    unit.record({
      action: isSlowed ? 'signInSlowed' : 'signInFailed',
      entity: 'user',
      entityId: account?.id ?? null,
      ...(account && { after: { email: account.email } }),
    }),
  );
}

function rememberFailure(context: Context, { email = '', client }: FailedSignIn): boolean {
  const key = JSON.stringify([email.toLowerCase(), client]);
  const isNew = (slowedOf(context).get(key) ?? 0) < Date.now() - SLOWED_PAUSE_MS;
  if (slowedOf(context).size >= MAX_SLOWED) slowedOf(context).clear();
  if (isNew) slowedOf(context).set(key, Date.now());
  return isNew;
}

function toSession(row: store.SessionRow, current: string): Session {
  const { id, address, agent } = row;
  return {
    id,
    current: id === current,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    address,
    agent,
  };
}
