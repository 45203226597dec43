import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedIn, User } from '@matterdesk/contract/accounts.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { peopleOf, people } from '../core/people.ts';
import { keyOf } from '../core/resource.ts';
import { isSignedIn, store } from '../core/store.ts';
import { personReceived, signedIn } from '../features/accounts/slice.ts';
import { admin, currentAdmin } from '../testing/factories.ts';
import { assembleStore, everythingCleared } from './root-store.ts';

const session: SignedIn = { ...currentAdmin, token: 't' };

const key = keyOf('all');
const loading = () => people.step({ kind: 'begun', key, isMore: false });
const loaded = (answer: User[]) => people.step({ kind: 'answered', key, answer, after: null });

beforeEach(() => void assembleStore({}));
afterEach(() => {
  store.dispatch(everythingCleared());
});

test('the store ignores answers that arrive after signing out', () => {
  store.dispatch(signedIn(session));
  store.dispatch(everythingCleared());
  const before = store.getState();
  store.dispatch(loading());
  store.dispatch(loaded([admin]));
  expect(store.getState()).toBe(before);
  expect(isSignedIn()).toBe(false);
});

test('applies a change of the user’s own role at once', () => {
  store.dispatch(signedIn(session));
  const permissions = permissionsBy(() => false);
  store.dispatch(personReceived({ ...admin, role: 'user', permissions }));
  expect(store.getState().user.current).toMatchObject({ role: 'user', permissions });
  expect(isSignedIn()).toBe(true);
});

test('the store sorts people by last name, without duplicates', () => {
  store.dispatch(signedIn(session));
  store.dispatch(loading());
  store.dispatch(loaded([admin]));
  store.dispatch(personReceived({ ...admin, id: 'b', lastName: 'Abara' }));
  store.dispatch(personReceived({ ...admin, lastName: 'Zhou' }));
  expect(peopleOf(store.getState()).map(({ lastName }) => lastName)).toEqual(['Abara', 'Zhou']);
});

test('the store refetches people when the user gains permission to manage them', () => {
  store.dispatch(signedIn(session));
  store.dispatch(loading());
  store.dispatch(loaded([admin]));
  store.dispatch(personReceived(admin));
  expect(store.getState().user.people[key]?.stale).toBe(false);
  const permissions = { ...admin.permissions, manageUsers: false };
  store.dispatch(personReceived({ ...admin, permissions }));
  expect(store.getState().user.people[key]?.stale).toBe(true);
});
