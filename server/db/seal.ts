import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Keeps texts so that who reads the database, or is handed one, learns nothing and cannot change it (AES-256-GCM). */
export class Seal {
  readonly #key: Uint8Array;

  /** @param secretKey 64 hexadecimal digits */
  constructor(secretKey: string) {
    const secret = Buffer.from(secretKey, 'hex');
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'matterdesk seal', 32));
  }

  /** @param purpose what it is and whose: it opens under the same one only */
  close(text: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed]);
  }

  /** Undefined: sealed under another key or for another purpose, or not sealed by us at all. */
  open(bytes: Buffer, purpose: string): string | undefined {
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
