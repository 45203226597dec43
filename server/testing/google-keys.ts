import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

const NAME = 'stand-in';

let keys: ReturnType<typeof newKeys> | undefined;

/** A third party's key. */
export function newKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** Generated on demand, which takes a while. */
function ownKeys() {
  keys ??= newKeys();
  return keys;
}

/** Google's public keys for verifying signatures. */
export function jsonKeys() {
  const key = createPublicKey(ownKeys().publicKey.export({ type: 'spki', format: 'pem' }));
  return { keys: [{ ...key.export({ format: 'jwk' }), kid: NAME, alg: 'RS256', use: 'sig' }] };
}

/** The same by id, as PEM. */
export function pemKeys() {
  return { [NAME]: ownKeys().publicKey.export({ type: 'spki', format: 'pem' }) };
}

/** A token signed by Google, or forged by a third party. */
export function signJwt(claims: object, key: KeyObject = ownKeys().privateKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'RS256', kid: NAME, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
