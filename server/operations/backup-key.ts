import { createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import { CommandError } from './command.ts';

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
