import { describe, expect, test } from 'vitest';
import { processorTimeDuring } from '../../../testing/usage.ts';
import { hashPassword, isPasswordOf } from './service.ts';

describe('a password', () => {
  test('is stored as salted argon2id', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await isPasswordOf(one, 'correct horse')).toBe(true);
    expect(await isPasswordOf(other, 'Correct horse')).toBe(false);
    expect(await isPasswordOf(one, 'correct horse ')).toBe(false);
  });

  test('never matches for an unknown user, not even the placeholder', async () => {
    expect(await isPasswordOf(undefined, 'an unused password')).toBe(false);
    expect(await isPasswordOf(undefined, '')).toBe(false);
  });

  test('takes as long to refuse for an unknown user as for a wrong password', async () => {
    const hash = await hashPassword('correct horse');
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 9; round += 1)
      for (const [who, kept] of [
        ['known', hash],
        ['unknown', undefined],
      ] as const) {
        times[who].push(await processorTimeDuring(() => isPasswordOf(kept, 'wrong')));
      }
    const ratio = median(times.unknown) / median(times.known);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });
});

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
