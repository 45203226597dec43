import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import { CommandError } from './command.ts';

/** Bytes of content in each chunk but the last. */
const CHUNK = 1 << 20;
const TAG = 16;
const SALT = 32;
const NONCE = 12;

/** Turns the bytes of one file into others, in portions of any size. */
export type Codec = {
  update: (bytes: Buffer) => Buffer[];
  /** After the last byte. */
  end: () => Buffer[];
};

/** The bytes do not fit the key, or are not as they were written. */
export class NotAuthentic extends Error {}

/**
 * A salt, then chunks of AES-256-GCM, each with its tag. The nonce is the chunk's number and whether it is the last, so
 * that chunks cannot be exchanged, repeated or cut off; the key is the file's own (STREAM of Hoang, Reyhanitabar,
 * Rogaway and Vizár).
 * @param name path of the file in the backup
 */
export function encryptor(key: BackupKey, name: string): Codec {
  const salt = newSalt();
  const fileKey = key.forFile(name, salt);
  let number = 0;
  const seal = (bytes: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(number, isLast));
    number += 1;
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  };
  const chunks = new Chunks(CHUNK);
  let isBegun = false;
  const begin = () => {
    const head = isBegun ? [] : [salt];
    isBegun = true;
    return head;
  };
  return {
    update: (bytes) => [...begin(), ...chunks.take(bytes).map((chunk) => seal(chunk, false))],
    end: () => [...begin(), seal(chunks.rest(), true)],
  };
}

/** @throws NotAuthentic at the first chunk that is not as it was written */
export function decryptor(key: BackupKey, name: string): Codec {
  let fileKey: Buffer | undefined;
  let head = Buffer.alloc(0);
  let number = 0;
  const open = (bytes: Buffer, isLast: boolean): Buffer => {
    if (!fileKey || bytes.length < TAG) throw new NotAuthentic(name);
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(number, isLast));
    number += 1;
    try {
      decipher.setAuthTag(bytes.subarray(-TAG));
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG)), decipher.final()]);
    } catch (error) {
      throw new NotAuthentic(name, { cause: error });
    }
  };
  const chunks = new Chunks(CHUNK + TAG);
  /** The bytes after the salt, which is read first. */
  const afterSalt = (bytes: Buffer): Buffer => {
    if (fileKey) return bytes;
    head = Buffer.concat([head, bytes]);
    if (head.length < SALT) return Buffer.alloc(0);
    fileKey = key.forFile(name, head.subarray(0, SALT));
    return head.subarray(SALT);
  };
  return {
    update: (bytes) => chunks.take(afterSalt(bytes)).map((chunk) => open(chunk, false)),
    end: () => [open(chunks.rest(), true)],
  };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE);
  nonce.writeUInt32BE(number, NONCE - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE - 1);
  return nonce;
}

/** Cuts bytes into chunks of one size, and holds a whole one back, since it may be the last. */
class Chunks {
  readonly #size: number;
  #pending = Buffer.alloc(0);

  constructor(size: number) {
    this.#size = size;
  }

  take(bytes: Buffer): Buffer[] {
    const whole = Buffer.concat([this.#pending, bytes]);
    const taken: Buffer[] = [];
    let from = 0;
    for (; whole.length - from > this.#size; from += this.#size)
      taken.push(whole.subarray(from, from + this.#size));
    this.#pending = whole.subarray(from);
    return taken;
  }

  rest(): Buffer {
    return this.#pending;
  }
}

/** 128 MiB and a third of a second for each guess at the passphrase. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
const KEY_BYTES = 32;
const SALT_BYTES = 32;
const MIN_PASSPHRASE_LENGTH = 12;

const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** Keys from a passphrase and a backup's salt, one for each purpose. */
export class BackupKey {
  readonly #root: Buffer;

  private constructor(root: Buffer) {
    this.#root = root;
  }

  static async from(passphrase: string, salt: Buffer): Promise<BackupKey> {
    return new BackupKey(await derive(passphrase, salt, KEY_BYTES, SCRYPT));
  }

  /** The key of one file; `name` is its path in the backup, so that no file passes for another. */
  forFile(name: string, salt: Buffer): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#root, salt, `file ${name}`, KEY_BYTES));
  }

  /** Hexadecimal. */
  sign(text: string): string {
    const key = Buffer.from(hkdfSync('sha256', this.#root, '', 'signature', KEY_BYTES));
    return createHmac('sha256', key).update(text).digest('hex');
  }

  isSignatureOf(text: string, signature: string): boolean {
    const [expected, given] = [this.sign(text), signature].map((each) => Buffer.from(each));
    return (
      expected !== undefined &&
      given?.length === expected.length &&
      timingSafeEqual(expected, given)
    );
  }
}

export function newSalt(): Buffer {
  return randomBytes(SALT_BYTES);
}

/** @param file of BACKUP_KEY @returns undefined without one @throws CommandError */
export async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = await fs.readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`BACKUP_KEY takes a file with the passphrase: ${String(error)}`);
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new CommandError(
      `BACKUP_KEY takes a file with a passphrase of at least ${MIN_PASSPHRASE_LENGTH} characters`,
    );
  return passphrase;
}
