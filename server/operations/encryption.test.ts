import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  BackupKey,
  newSalt,
  type Codec,
  decryptor,
  encryptor,
  NotAuthentic,
} from './encryption.ts';

const MEBIBYTE = 1 << 20;
const SALT = 32;
/** A chunk with its tag. */
const SEALED = MEBIBYTE + 16;

let key: BackupKey;
beforeAll(async () => {
  key = await BackupKey.from('a passphrase', newSalt());
});

/** In portions of this size. */
function pass(codec: Codec, bytes: Buffer, size = 100_000): Buffer {
  const out: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += size)
    out.push(...codec.update(bytes.subarray(from, from + size)));
  return Buffer.concat([...out, ...codec.end()]);
}

const open = (bytes: Buffer, name = 'a', size?: number) => pass(decryptor(key, name), bytes, size);

test.each([0, 1, MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 3 * MEBIBYTE])(
  'the encryption gives back %i bytes, in portions of any size, and never the same twice',
  (length) => {
    const bytes = randomBytes(length);
    const [one, other] = [pass(encryptor(key, 'a'), bytes), pass(encryptor(key, 'a'), bytes, 7777)];
    expect(one.equals(other)).toBe(false);
    expect(open(one, 'a', 999).equals(bytes)).toBe(true);
    expect(open(other, 'a', 5 * MEBIBYTE).equals(bytes)).toBe(true);
  },
);

test('the encryption refuses bytes that were changed, cut, extended, exchanged, repeated, or of another file or key', async () => {
  const sealed = pass(encryptor(key, 'a'), randomBytes(2.5 * MEBIBYTE));
  const flipped = Buffer.from(sealed);
  flipped.writeUInt8(flipped.readUInt8(SALT + SEALED + 5) ^ 1, SALT + SEALED + 5);
  const salt = sealed.subarray(0, SALT);
  const chunks = [0, 1, 2].map((n) => sealed.subarray(SALT + n * SEALED, SALT + (n + 1) * SEALED));
  const [first = salt, second = salt, last = salt] = chunks;
  const wrong = [
    flipped,
    sealed.subarray(0, -1),
    sealed.subarray(0, SALT + 2 * SEALED),
    Buffer.alloc(0),
    salt,
    Buffer.concat([sealed, Buffer.from('x')]),
    Buffer.concat([salt, second, first, last]),
    Buffer.concat([salt, first, first, second, last]),
  ];
  for (const bytes of wrong) expect(() => open(bytes)).toThrow(NotAuthentic);
  expect(() => open(sealed, 'b')).toThrow(NotAuthentic);
  const stranger = await BackupKey.from('another passphrase', newSalt());
  expect(() => pass(decryptor(stranger, 'a'), sealed)).toThrow(NotAuthentic);
});
