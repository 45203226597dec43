import { describe, expect, test } from 'vitest';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { admit, permissionsOf } from './rules.ts';

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
    ['open', true, 'user', { role: 'admin', approved: true }],
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
