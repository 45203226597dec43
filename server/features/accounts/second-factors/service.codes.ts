// Codes of authenticator apps, and recovery codes: each one works once.

import { errorCodes } from '@matterdesk/contract/errors.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Transaction } from '../../../db/schema.ts';
import { Seal } from '../../../db/seal.ts';
import type { UserRow } from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';
import { type Context, perContext } from '../../../context.ts';

/** By what a user proved to be who they are, beside the password. */
export type Proof = 'totp' | 'recoveryCode';

const sealOf = perContext((context) => new Seal(context.secretKey));

/**
 * What a sign-in needs beside the password.
 * @returns undefined for a user without a second factor
 * @throws Refusal codeRequired, passkeyRequired, wrongCode
 */
export async function requireCode(
  context: Context,
  row: UserRow,
  code: string | undefined,
): Promise<Proof | undefined> {
  if (row.second_factor === 'none') return undefined;
  if (code) return useCode(context, row.id, code);
  throw refuseCode(row.second_factor === 'totp' ? 'codeRequired' : 'passkeyRequired');
}

/** @throws Refusal wrongCode, also for a code that was used before */
export async function useCode(context: Context, userId: string, given: string): Promise<Proof> {
  const code = rules.plainCode(given);
  const step = openCode(context, userId, {
    sealed: await store.findTotp(context.db, userId, 'on'),
    code,
  });
  if (step !== undefined && (await store.useStep(context.db, userId, step))) return 'totp';
  const hash = rules.hashCode(context.secretKey, userId, code);
  if (await store.useCode(context.db, userId, hash)) return 'recoveryCode';
  throw refuseCode('wrongCode');
}

export function sealSecret(context: Context, userId: string, secret: string): Buffer {
  return sealOf(context).close(secret, rules.totpPurpose(userId));
}

/** The secret that waits for its first code, with the step of a right one. @throws Refusal wrongCode */
export async function checkPendingCode(
  context: Context,
  userId: string,
  code: string,
): Promise<{ secret: Buffer; step: number }> {
  const secret = await store.findTotp(context.db, userId, 'pending');
  const step = openCode(context, userId, { sealed: secret, code: rules.plainCode(code) });
  if (!secret || step === undefined) throw refuseCode('wrongCode');
  return { secret, step };
}

/** The time step of a right code. A secret sealed under a lost key has none. */
function openCode(
  context: Context,
  userId: string,
  { sealed, code }: { sealed: Buffer | undefined; code: string },
): number | undefined {
  const secret = sealed && sealOf(context).open(sealed, rules.totpPurpose(userId));
  return secret ? rules.stepOf(secret, code) : undefined;
}

/** Ten new codes; those of before end. */
export async function renewCodes(
  context: Context,
  trx: Transaction,
  userId: string,
): Promise<string[]> {
  const codes = rules.newRecoveryCodes();
  const hashes = codes.map((code) => rules.hashCode(context.secretKey, userId, code));
  await store.replaceCodes(trx, userId, hashes);
  return codes;
}

export function refuseCode(code: 'codeRequired' | 'passkeyRequired' | 'wrongCode'): Refusal {
  const { message } = errorCodes[code];
  return new Refusal(code, message, { errors: [{ path: 'code', message }] });
}
