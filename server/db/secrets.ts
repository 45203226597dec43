import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, createHash } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Encrypts and authenticates texts (AES-256-GCM), so that a reader of the database cannot use or change them. */
export class SecretBox {
  readonly #key: Uint8Array;

  /** @param secretKey 64 hexadecimal digits */
  constructor(secretKey: string) {
    const secret = Buffer.from(secretKey, 'hex');
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'matterdesk seal', 32));
  }

  /** @param purpose what the text is and whose; only the same purpose decrypts it */
  encrypt(text: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), encrypted]);
  }

  /** @returns undefined when it was encrypted with another key, for another purpose, or not at all */
  decrypt(bytes: Buffer, purpose: string): string | undefined {
    if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined;
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const tag = bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce)
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag);
    try {
      const opened = [decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

/** 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Only the hash is stored, so that a reader of the database cannot use the token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
