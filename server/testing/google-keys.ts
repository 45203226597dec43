import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

const NAME = 'stand-in';

let keys: ReturnType<typeof newKeys> | undefined;

/** Such as somebody else might have. */
export function newKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** Made when they are first needed, since that takes a while. */
function ownKeys() {
  keys ??= newKeys();
  return keys;
}

/** What Google shows of its keys to those who would check what it has signed. */
export function jsonKeys() {
  const key = createPublicKey(ownKeys().publicKey.export({ type: 'spki', format: 'pem' }));
  return { keys: [{ ...key.export({ format: 'jwk' }), kid: NAME, alg: 'RS256', use: 'sig' }] };
}

/** The same by name, each as PEM. */
export function pemKeys() {
  return { [NAME]: ownKeys().publicKey.export({ type: 'spki', format: 'pem' }) };
}

/** A token as Google signs them, or as somebody else does in Google's name. */
export function signJwt(claims: object, key: KeyObject = ownKeys().privateKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode({ alg: 'RS256', kid: NAME, typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}
