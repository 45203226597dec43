import { expect, test } from 'vitest';
import type { User } from '@matterdesk/contract/accounts.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import {
  bestFirst,
  lastAdminOf,
  matchesPerson,
  patchOf,
  peopleInWords,
  rightsInWords,
  toUserForm,
} from './rules.ts';

const none = permissionsBy(() => false);
const ama: User = {
  id: 'a1',
  firstName: 'Amélie',
  lastName: 'Østergård',
  email: 'Amelie@Firm.example',
  role: 'user',
  phoneNumber: '1 212 555 0101',
  active: true,
  waiting: false,
  permissions: { ...none, editTasks: true },
};

test.each([
  'AMÉLIE',
  'østerg',
  'amelie@firm',
  'USER',
  '555 01',
  'amélie øst',
  '  Amé ',
  'øst amélie',
  '555 user firm',
])('the search finds a person by %s', (search) => expect(matchesPerson(ama, search)).toBe(true));

test('the search finds no user by id or by unknown text', () => {
  expect(matchesPerson(ama, 'a1')).toBe(false);
  expect(matchesPerson(ama, 'admin')).toBe(false);
});

test('the search lists exact names first, then names that begin with the text', () => {
  const longer = { ...ama, id: 'a2', firstName: 'Ann Amélie' };
  const found = (search: string) => bestFirst([longer, ama], search).map(({ id }) => id);
  expect(found(' amélie ØSTERGÅRD')).toEqual(['a1', 'a2']);
  expect(found('amé')).toEqual(['a1', 'a2']);
  expect(found('')).toEqual(['a2', 'a1']);
});

test('the form knows the last active admin', () => {
  const boss = { ...ama, id: 'a3', role: 'admin' } as const;
  expect(lastAdminOf([ama, boss, { ...boss, id: 'a4', active: false }])).toBe('a3');
  expect(lastAdminOf([boss, { ...boss, id: 'a4' }])).toBeUndefined();
});

test('the form sends only the changed fields', () => {
  const before = toUserForm(ama);
  expect(patchOf(before, { ...before })).toEqual({});
  expect(patchOf(before, { ...before, firstName: 'Ama', active: false })).toEqual({
    firstName: 'Ama',
    active: false,
  });
  const permissions = { ...before.permissions, createCases: true };
  expect(patchOf(before, { ...before, permissions })).toEqual({ permissions });
});

test('the form sends all permissions of a former admin, since none are stored', () => {
  const everything = permissionsBy(() => true);
  const before = toUserForm({ ...ama, role: 'admin', permissions: everything });
  expect(before.permissions).toEqual(none);
  expect(patchOf(before, { ...before, role: 'user' })).toEqual({ role: 'user', permissions: none });
  expect(patchOf(before, { ...before })).toEqual({});
});

test('the users page counts people in words', () => {
  expect(peopleInWords([ama])).toBe('1 person');
  expect(peopleInWords([ama, { ...ama, active: false }])).toBe('2 people · 1 deactivated');
  const waiting = { ...ama, active: false, waiting: true } as const;
  expect(peopleInWords([ama, waiting])).toBe('2 people · 1 waiting');
  expect(peopleInWords([ama, ama], 1)).toBe('1 of 2 people');
});

test('the users page says in words what a user may do', () => {
  expect(rightsInWords(ama)).toBe('Tasks');
  expect(rightsInWords({ ...ama, permissions: none })).toBe('Reads only');
  expect(rightsInWords({ ...ama, role: 'admin' })).toBe('Everything');
});
