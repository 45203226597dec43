import { expect, test } from 'vitest';
import { SecretBox } from './secrets.ts';

const KEY = '0123456789abcdef'.repeat(4);

test('a seal opens what it sealed, and hides it until then', () => {
  const seal = new SecretBox(KEY);
  const sealed = seal.encrypt('1//refresh-token', 'grant of ada');
  expect(sealed.toString('latin1')).not.toContain('refresh');
  expect(seal.decrypt(sealed, 'grant of ada')).toBe('1//refresh-token');
  expect(seal.encrypt('1//refresh-token', 'grant of ada')).not.toEqual(sealed);
});

test('a seal does not open a text with another key, for another purpose, or after a change', () => {
  const seal = new SecretBox(KEY);
  const sealed = seal.encrypt('secret', 'grant of ada');
  expect(new SecretBox('f'.repeat(64)).decrypt(sealed, 'grant of ada')).toBeUndefined();
  expect(seal.decrypt(sealed, 'grant of eve')).toBeUndefined();
  for (let at = 0; at < sealed.length; at += 1) {
    const touched = Buffer.from(sealed);
    touched[at] = (touched[at] ?? 0) ^ 1;
    expect(seal.decrypt(touched, 'grant of ada')).toBeUndefined();
  }
  expect(seal.decrypt(Buffer.alloc(0), 'grant of ada')).toBeUndefined();
  expect(seal.decrypt(Buffer.from('an invented text that is long enough'), '')).toBeUndefined();
});
