import { describe, expect, test } from 'vitest';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { spentDuring } from '../../testing/processor.ts';
import { admit, hashPassword, isPasswordOf, permissionsOf } from './rules.ts';

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
        times[who].push(await spentDuring(() => isPasswordOf(kept, 'wrong')));
      }
    const ratio = median(times.unknown) / median(times.known);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });
});

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

describe('permissions', () => {
  const all = permissionsBy(() => true);
  const none = permissionsBy(() => false);

  test('include everything for an admin, whatever was granted', () => {
    expect(permissionsOf('admin', {})).toEqual(all);
    expect(permissionsOf('admin', none)).toEqual(all);
  });

  test('are the granted ones for a user', () => {
    expect(permissionsOf('user', {})).toEqual(none);
    expect(permissionsOf('user', { editTasks: true })).toEqual({ ...none, editTasks: true });
    expect(permissionsOf('user', all)).toEqual(all);
  });
});

describe('registering users', () => {
  test.each([
    ['open', true, 'user', { role: 'user', approved: true }],
    ['open', true, 'admin', { role: 'admin', approved: true }],
    ['open', false, 'user', { role: 'user', approved: true }],
    ['open', false, 'admin', { role: 'admin', approved: true }],
    ['approval', true, 'user', { role: 'admin', approved: true }],
    ['approval', true, 'admin', { role: 'admin', approved: true }],
    ['approval', false, 'user', { role: 'user', approved: false }],
    ['approval', false, 'admin', { role: 'user', approved: false }],
    ['closed', true, 'user', { role: 'admin', approved: true }],
    ['closed', true, 'admin', { role: 'admin', approved: true }],
    ['closed', false, 'user', 'closed'],
    ['closed', false, 'admin', 'closed'],
  ] as const)(
    'are admitted under %s, first: %s, as %s with %o',
    (mode, isFirst, wished, admission) => {
      expect(admit(mode, isFirst, wished)).toEqual(admission);
    },
  );
});
