// Who may register: modes, the first account, invitations.

import { hkdfSync, timingSafeEqual } from 'node:crypto';

/** Accepted registrations of a client in an hour. */
export const REGISTRATIONS_PER_CLIENT = 20;
export const REGISTRATION_WINDOW = 3600_000;
/** Wrong setup codes of a client in a quarter of an hour. */
export const SETUP_CODES_PER_CLIENT = 20;
export const SETUP_CODE_WINDOW = 15 * 60_000;

/** Without characters that are mistaken for others. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The same in every process and after each restart: `XXXX-XXXX`. */
export function setupCodeOf(secretKey: string): string {
  const secret = Buffer.from(secretKey, 'hex');
  const bytes = new Uint8Array(hkdfSync('sha256', secret, '', 'matterdesk setup code', 8));
  const letters = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Ignores case, blanks and the dash. */
export function isSetupCode(given: string, code: string): boolean {
  const [one, other] = [toBytes(given), toBytes(code)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function toBytes(code: string): Buffer {
  return Buffer.from(code.toUpperCase().replaceAll(/[\s-]/g, ''));
}
