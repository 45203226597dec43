// Second factors: codes of an app, and recovery codes.

import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { fullName } from '../../../core/actor.ts';
import type { SystemMail } from '../../../integrations/smtp/mailer.ts';
import { CODE_CHARACTERS } from '../rules.ts';

/** Milliseconds for which a passkey may be asked for. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;
/** Recovery codes that are given at a time. */
const RECOVERY_CODES = 10;
const CODE_LENGTH = 10;
/** Seconds for which an app shows a code, and steps by which its clock may differ. */
const PERIOD_SECONDS = 30;
const MAX_DRIFT_STEPS = 1;

export const totpPurpose = (userId: string) => `totp ${userId}`;

/** 160 bits in base32, as RFC 4226 recommends. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that an app reads from a QR code. */
export function addressOf(secret: string, email: string): string {
  return appOf(secret, email).toString();
}

/** @returns the time step of a right code, or undefined */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = appOf(secret).validate({ token: code, timestamp: now, window: MAX_DRIFT_STEPS });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

function appOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Matterdesk', label, secret, digits: 6, period: PERIOD_SECONDS });
}

/** Ten codes such as `7KQ2M-XW9RT`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(
      { length: CODE_LENGTH },
      () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)],
    );
    return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`;
  });
}

/** A code without blanks and dashes, in capitals. */
export function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** Keyed, since a reader of the database could try all codes against a plain hash. */
export function hashCode(secretKey: string, userId: string, code: string): Buffer {
  const key = hkdfSync('sha256', Buffer.from(secretKey, 'hex'), '', 'matterdesk recovery code', 32);
  return createHmac('sha256', new Uint8Array(key))
    .update(`${userId} ${plainCode(code)}`)
    .digest();
}

type Remover = { firstName: string; lastName: string };

export function writeRemoval(to: string, by: Remover): SystemMail {
  return {
    to,
    subject: 'Your Matterdesk second factor was removed',
    text: `${fullName(by)} removed the second factor of your Matterdesk account: your authenticator app, passkeys and recovery codes no longer work.

Sign in with your password and set up a new one on your Account page.

If you did not ask for this, speak to ${fullName(by)} and change your password.
`,
  };
}
