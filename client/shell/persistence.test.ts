import { beforeEach, expect, test } from 'vitest';
import type { User } from '@matterdesk/contract/accounts.ts';
import {
  clearStorage,
  keptSession,
  readKept,
  serialize,
  storeNames,
  unserialize,
} from './persistence.ts';
import { store } from '../core/store.ts';
import { signedIn, tokenReplaced } from '../features/accounts/slice.ts';
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
const user = {
  current: {
    ...person,
    googleRefreshToken: null,
    googleEmail: null,
    twilioConfig: { twilioPhoneNumber: null, messagingEnabled: false },
  },
  token: 't',
  people: [person],
};

beforeEach(() => localStorage.clear());

test('takes a kept store as it was', () => {
  expect(unserialize(JSON.stringify(user), 'user')).toEqual(user);
});

test.each(['', '{', 'null', '5', '"text"', '[]', '{"current":{"id":1}}', '{"token":5}'])(
  'takes nobody for signed in by a corrupt key: %s',
  (text) => {
    localStorage.setItem('redux-user', text);
    expect(keptSession()).toBeUndefined();
  },
);

test('loses only the people when only they are corrupt', () => {
  const text = JSON.stringify({ ...user, people: [{ id: 5 }] });
  expect(unserialize(text, 'user')).toEqual({ ...user, people: [] });
});

/** What a kept text comes back as, read as the page reads it. */
async function readBack(text: string, name: (typeof storeNames)[number]): Promise<unknown> {
  localStorage.setItem(`redux-${name}`, text);
  return (await readKept())[name];
}

test('does not take half a case for one', async () => {
  const text = JSON.stringify({ ids: ['x'], entities: { x: { id: 'x' } } });
  expect(await readBack(text, 'cases')).toBeUndefined();
  expect(await readBack('{"ids":[],"entities":{}}', 'cases')).toEqual({ ids: [], entities: {} });
});

test('keeps a bounded part of a large firm', () => {
  const people = Array.from({ length: 5000 }, (_, index) => ({ ...person, id: `${index}` }));
  const text = serialize({ ...user, people, peopleStatus: 'ready' }, 'user');
  expect(text.length).toBeLessThan(140_000);
  expect(unserialize(text, 'user')).toMatchObject({ token: 't', people: { length: 200 } });
});

test('keeps how somebody arranged the boards when the cards are too many to keep', async () => {
  const orders = { c: { intake: ['2', '1'] } };
  const entities = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [index, { id: `${index}`, name: 'x'.repeat(100) }]),
  );
  const text = serialize({ orders, entities, ids: Object.keys(entities) }, 'tasks');
  expect(await readBack(text, 'tasks')).toEqual({ orders });
});

test('writes every key at sign-in, each again once it changes, and none when signed out', () => {
  assembleStore({});
  expect(localStorage.length).toBe(0);
  store.dispatch(signedIn({ ...user.current, token: 't' }));
  expect(Object.keys(localStorage).toSorted()).toEqual(
    storeNames.map((name) => `redux-${name}`).toSorted(),
  );
  localStorage.removeItem('redux-cases');
  store.dispatch(tokenReplaced('u'));
  expect(keptSession()?.token).toBe('u');
  expect(localStorage.getItem('redux-cases')).toBeNull();
  localStorage.setItem('other-site', 'stays');
  store.dispatch(everythingCleared());
  clearStorage('u');
  expect(Object.keys(localStorage)).toEqual(['other-site']);
});

test('starts with what was kept, by an older version too', async () => {
  localStorage.setItem(
    'redux-user',
    JSON.stringify({ ...user, peopleStatus: 'ready', isRestored: true }),
  );
  localStorage.setItem('redux-cases', '{"ids":[],"entities":{},"lists":{},"watched":null}');
  localStorage.setItem('redux-files', '{"ids":[7');
  const { user: kept, cases, files } = assembleStore(await readKept()).getState();
  expect(kept).toMatchObject({ token: 't', current: { id: 'a' } });
  expect(cases).toMatchObject({ ids: [], lists: {}, details: {} });
  expect(files.library).toBeNull();
});

test('leaves what another tab keeps for somebody else', () => {
  localStorage.setItem('redux-user', JSON.stringify(user));
  clearStorage('an older token');
  expect(keptSession()).toEqual({ token: 't', id: 'a' });
  clearStorage('t');
  expect(keptSession()).toBeUndefined();
});
