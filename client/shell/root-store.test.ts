import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn, User } from '@matterdesk/contract/accounts.ts';
import { peopleCame, peopleFailed, personHeard, signedIn } from '../features/accounts/slice.ts';
import { isSignedIn, store } from '../core/store.ts';
import { assembleStore, everythingCleared } from './root-store.ts';

const person: User = {
  id: 'a',
  firstName: 'Ama',
  lastName: 'Owusu',
  email: 'ama@firm.example',
  role: 'admin',
  phoneNumber: '1 212 555 0101',
  active: true,
  permissions: { createCases: true, editTasks: true, manageUsers: true },
};
const session: SignedIn = {
  ...person,
  googleRefreshToken: null,
  googleEmail: null,
  twilioConfig: { twilioPhoneNumber: null, messagingEnabled: false },
  token: 't',
};

beforeEach(() => void assembleStore({}));
afterEach(() => {
  store.dispatch(everythingCleared());
});

test('takes nothing from an answer that comes after its person has gone', () => {
  store.dispatch(signedIn(session));
  store.dispatch(everythingCleared());
  const before = store.getState();
  store.dispatch(peopleCame([person]));
  store.dispatch(peopleFailed());
  expect(store.getState()).toBe(before);
  expect(isSignedIn()).toBe(false);
});

test('shows a change of one’s own role at once', () => {
  store.dispatch(signedIn(session));
  const permissions = { createCases: false, editTasks: false, manageUsers: false };
  store.dispatch(personHeard({ ...person, role: 'user', permissions }));
  expect(store.getState().user.current).toMatchObject({ role: 'user', permissions });
  expect(isSignedIn()).toBe(true);
});

test('keeps people by last name, and each of them once', () => {
  store.dispatch(signedIn(session));
  store.dispatch(peopleCame([person]));
  store.dispatch(personHeard({ ...person, id: 'b', lastName: 'Abara' }));
  store.dispatch(personHeard({ ...person, lastName: 'Zhou' }));
  expect(store.getState().user.people.map(({ lastName }) => lastName)).toEqual(['Abara', 'Zhou']);
});
