import { errorCodes } from '@matterdesk/contract/errors.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Database, Transaction } from '../../../db/schema.ts';
import { Seal } from '../../../db/seal.ts';
import type { UserRow } from '../store.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** By what a user proved to be who they are, beside the password. */
export type Proof = 'totp' | 'recoveryCode';

/** Codes of authenticator apps, and recovery codes: each one works once. */
export class Codes {
  readonly #db: Database;
  readonly #secretKey: string;
  readonly #seal: Seal;

  constructor(db: Database, secretKey: string) {
    this.#db = db;
    this.#secretKey = secretKey;
    this.#seal = new Seal(secretKey);
  }

  /**
   * What a sign-in needs beside the password.
   * @returns undefined for a user without a second factor
   * @throws Refusal codeRequired, passkeyRequired, wrongCode
   */
  async require(row: UserRow, code: string | undefined): Promise<Proof | undefined> {
    if (row.second_factor === 'none') return undefined;
    if (code) return this.use(row.id, code);
    throw refuseCode(row.second_factor === 'totp' ? 'codeRequired' : 'passkeyRequired');
  }

  /** @throws Refusal wrongCode, also for a code that was used before */
  async use(userId: string, given: string): Promise<Proof> {
    const code = rules.plainCode(given);
    const step = this.#open(userId, await store.findTotp(this.#db, userId, 'on'), code);
    if (step !== undefined && (await store.useStep(this.#db, userId, step))) return 'totp';
    const hash = rules.hashCode(this.#secretKey, userId, code);
    if (await store.useCode(this.#db, userId, hash)) return 'recoveryCode';
    throw refuseCode('wrongCode');
  }

  seal(userId: string, secret: string): Buffer {
    return this.#seal.close(secret, rules.totpPurpose(userId));
  }

  /** The secret that waits for its first code, with the step of a right one. @throws Refusal wrongCode */
  async checkPending(userId: string, code: string): Promise<{ secret: Buffer; step: number }> {
    const secret = await store.findTotp(this.#db, userId, 'pending');
    const step = this.#open(userId, secret, rules.plainCode(code));
    if (!secret || step === undefined) throw refuseCode('wrongCode');
    return { secret, step };
  }

  /** The time step of a right code. A secret sealed under a lost key has none. */
  #open(userId: string, sealed: Buffer | undefined, code: string): number | undefined {
    const secret = sealed && this.#seal.open(sealed, rules.totpPurpose(userId));
    return secret ? rules.stepOf(secret, code) : undefined;
  }

  /** Ten new codes; those of before end. */
  async renew(trx: Transaction, userId: string): Promise<string[]> {
    const codes = rules.newRecoveryCodes();
    const hashes = codes.map((code) => rules.hashCode(this.#secretKey, userId, code));
    await store.replaceCodes(trx, userId, hashes);
    return codes;
  }
}

export function refuseCode(code: 'codeRequired' | 'passkeyRequired' | 'wrongCode'): Refusal {
  const { message } = errorCodes[code];
  return new Refusal(code, message, { errors: [{ path: 'code', message }] });
}
