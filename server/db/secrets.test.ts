import { expect, test } from 'vitest';
import { SecretBox } from './secrets.ts';

const KEY = '0123456789abcdef'.repeat(4);

test('a secret box decrypts what it encrypted, and hides it until then', () => {
  const box = new SecretBox(KEY);
  const encrypted = box.encrypt('1//refresh-token', 'grant of ada');
  expect(encrypted.toString('latin1')).not.toContain('refresh');
  expect(box.decrypt(encrypted, 'grant of ada')).toBe('1//refresh-token');
  expect(box.encrypt('1//refresh-token', 'grant of ada')).not.toEqual(encrypted);
});

test('a secret box does not decrypt a text with another key, for another purpose, or after a change', () => {
  const box = new SecretBox(KEY);
  const encrypted = box.encrypt('secret', 'grant of ada');
  expect(new SecretBox('f'.repeat(64)).decrypt(encrypted, 'grant of ada')).toBeUndefined();
  expect(box.decrypt(encrypted, 'grant of eve')).toBeUndefined();
  for (let at = 0; at < encrypted.length; at += 1) {
    const touched = Buffer.from(encrypted);
    touched[at] = (touched[at] ?? 0) ^ 1;
    expect(box.decrypt(touched, 'grant of ada')).toBeUndefined();
  }
  expect(box.decrypt(Buffer.alloc(0), 'grant of ada')).toBeUndefined();
  expect(box.decrypt(Buffer.from('an invented text that is long enough'), '')).toBeUndefined();
});
