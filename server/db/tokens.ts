import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Only the hash is stored, so that a reader of the database cannot use the token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
