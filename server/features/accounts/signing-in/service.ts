// Opens sessions.

import type { Credentials, SignedIn } from '@matterdesk/contract/accounts.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openSession } from '../../../db/sessions.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import type { PasskeyAnswer } from '@matterdesk/contract/second-factors.ts';
import { type Proof, requireCode } from '../second-factors/service.codes.ts';
import { isPasswordOf } from '../service.hashing.ts';
import { findUserByEmail, type UserRow } from '../store.ts';
import { type Caller, attemptByPasskey, attemptPassword } from './service.guard.ts';
import { knowBrowser } from './store.ts';
import type { Context } from '../../../context.ts';
import {
  beginPasskeySignIn,
  checkPasskey,
  findPasskeyOwner,
} from '../second-factors/service.passkeys.ts';
import { noteFailure } from './service.failures.ts';
import { describeUser } from '../service.ts';

type Opened = { signedIn: SignedIn; browser: string };
/** Who signs in, and by what beside the password. */
type Proven = { row: UserRow; proof: Proof | 'passkey' | undefined };

/**
 * @throws Refusal badCredentials, accountWaiting, accountDeactivated, codeRequired, passkeyRequired, wrongCode,
 * tooManyAttempts
 */
export async function signIn(
  context: Context,
  credentials: Credentials,
  caller: Caller,
): Promise<Opened> {
  return enter(context, caller, {
    email: credentials.email,
    proving: checkProof(context, credentials, caller),
  });
}

export function beginByPasskey(context: Context) {
  return beginPasskeySignIn(context);
}

/** @throws Refusal passkeyRefused, accountWaiting, accountDeactivated, tooManyAttempts */
export async function signInByPasskey(
  context: Context,
  { answer }: { answer: PasskeyAnswer },
  caller: Caller,
): Promise<Opened> {
  const found = await findPasskeyOwner(context, answer);
  const proving = attemptByPasskey(context, caller.network, async (): Promise<Proven> => {
    const row = await checkPasskey(context, answer, found);
    requireActive(row);
    return { row, proof: 'passkey' };
  });
  return enter(context, caller, { email: found?.row.email, proving });
}

/** Opens the session once the user is proven, and records who is not. */
async function enter(
  context: Context,
  caller: Caller,
  { email, proving }: { email: string | undefined; proving: Promise<Proven> },
): Promise<Opened> {
  const proven = await proving.catch(async (error: unknown) => {
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
  return attemptPassword(context, { email, client, browser }, async (): Promise<Proven> => {
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
  { row, proof, caller }: Proven & { caller: Caller },
): Promise<Opened> {
  const { address, agent, browser: before } = caller;
  const { token, sessionId } = await openSession(unit.trx, row.id, { address, agent });
  const session = { entity: 'session', entityId: sessionId, actorId: row.id } as const;
  const after = proof && { secondFactor: proof };
  await unit.record({ ...session, action: 'signedIn', ...(after && { after }) });
  const browser = await knowBrowser(unit.trx, row.id, before);
  const current = await describeUser(context, unit.trx, row);
  return { signedIn: { ...current, token }, browser };
}

function requireActive({ approved, active }: UserRow): void {
  if (!approved) throw new Refusal('accountWaiting');
  if (!active) throw new Refusal('accountDeactivated');
}
