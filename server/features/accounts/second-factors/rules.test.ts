import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { hashCode, newSecret, stepOf } from './rules.ts';

// RFC 6238, appendix B, shortened to six digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
])('the authenticator accepts the code of RFC 6238 at second %i', (second, code) => {
  expect(stepOf(SECRET, code, second * 1000)).toBe(Math.floor(second / 30));
});

test('the authenticator accepts codes of one step before and after, as the step that showed them', () => {
  const secret = newSecret();
  const now = 1_800_000_000_000;
  const codeAt = (steps: number) =>
    new TOTP({ secret }).generate({ timestamp: now + steps * 30_000 });
  const found = [-2, -1, 0, 1, 2].map((steps) => stepOf(secret, codeAt(steps), now));
  const step = now / 30_000;
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
});

test.each(['', '28708', '2870820', 'abcdef', '２８７０８２'])(
  'the authenticator accepts no code such as “%s”',
  (code) => {
    expect(stepOf(SECRET, code, 59_000)).toBeUndefined();
  },
);

test('hashes a recovery code for one user under one key', () => {
  const [key, other] = ['a'.repeat(64), 'b'.repeat(64)];
  const hash = hashCode(key, 'ada', '7KQ2M-XW9RT');
  expect(hashCode(key, 'ada', ' 7kq2mxw9rt')).toEqual(hash);
  expect(hashCode(key, 'eve', '7KQ2M-XW9RT')).not.toEqual(hash);
  expect(hashCode(other, 'ada', '7KQ2M-XW9RT')).not.toEqual(hash);
});
