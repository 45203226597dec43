import { beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '@matterdesk/contract/tasks.ts';
import { keptEntry, keyOf } from '../core/resource.ts';
import { store } from '../core/store.ts';
import { signedIn, tokenReplaced } from '../features/accounts/slice.ts';
import { mailsReducer } from '../features/mails/slice.ts';
import { messagesReducer } from '../features/messages/slice.ts';
import { tasksReducer } from '../features/tasks/slice.ts';
import { admin, ama, currentAdmin } from '../testing/factories.ts';
import {
  clearStorage,
  keptSession,
  readKept,
  serialize,
  storeNames,
  unserialize,
} from './persistence.ts';
import { assembleStore, everythingCleared } from './root-store.ts';

const entries = (people: unknown[]) => ({
  [keyOf('all')]: {
    data: people,
    cursor: null,
    status: 'idle',
    failure: null,
    stale: true,
    missed: [],
  },
});
const user = {
  current: currentAdmin,
  token: 't',
  people: entries([admin]),
};

const task: Task = {
  id: 't',
  name: 'Call the client',
  description: '',
  startTime: '2026-11-16T14:00:00.000Z',
  endTime: '2026-12-04T21:00:00.000Z',
  type: 'intake',
  columnSince: '2026-11-01T09:00:00.000Z',
  doneAt: null,
  assignedTo: ama,
  assignee: 'a',
  case: 'c',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
};

beforeEach(() => localStorage.clear());

test('the persistence restores a stored slice unchanged', () => {
  expect(unserialize(JSON.stringify(user), 'user')).toEqual(user);
});

test('the persistence keeps a user whom an older version stored without a second factor', () => {
  const { secondFactor: _, mustEnrol: __, ...current } = user.current;
  expect(unserialize(JSON.stringify({ ...user, current }), 'user')).toEqual(user);
});

test.each(['', '{', 'null', '5', '"text"', '[]', '{"current":{"id":1}}', '{"token":5}'])(
  'the persistence treats a corrupt key as signed out: %s',
  (text) => {
    localStorage.setItem('redux-user', text);
    expect(keptSession()).toBeUndefined();
  },
);

test('discards only the people when only they are corrupt', () => {
  const text = JSON.stringify({ ...user, people: entries([{ id: 5 }]) });
  expect(unserialize(text, 'user')).toEqual({ ...user, people: {} });
});

/** The state that the page restores from a stored text. */
async function readBack(text: string, name: (typeof storeNames)[number]): Promise<unknown> {
  localStorage.setItem(`redux-${name}`, text);
  return (await readKept())[name];
}

test('rejects an incomplete case', async () => {
  const text = JSON.stringify({ ids: ['x'], entities: { x: { id: 'x' } } });
  expect(await readBack(text, 'cases')).toBeUndefined();
  expect(await readBack('{"ids":[],"entities":{}}', 'cases')).toEqual({ ids: [], entities: {} });
});

test('the persistence limits what it stores of a large firm', () => {
  const people = Array.from({ length: 5000 }, (_, index) => ({ ...admin, id: `${index}` }));
  const text = serialize({ ...user, people: entries(people) }, 'user');
  expect(text.length).toBeLessThan(140_000);
  expect(unserialize(text, 'user')).toMatchObject({
    token: 't',
    people: { [keyOf('all')]: { data: { length: 200 } } },
  });
});

describe('boards', () => {
  const orders = { c: { intake: ['2', '1'] } };
  const boardOf = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `${index}`);
    const cards = Object.fromEntries(ids.map((id) => [id, { ...task, id }]));
    const empty = tasksReducer(undefined, { type: 'nothing' });
    return { ...empty, caseId: 'c', orders, boards: { '"c"': keptEntry(cards) } };
  };

  test('are restored unchanged', async () => {
    const { caseId, boards } = boardOf(3);
    const text = serialize(boardOf(3), 'tasks');
    expect(await readBack(text, 'tasks')).toEqual({ caseId, orders, boards });
  });

  test('that are too large are restored as their arrangement alone', async () => {
    const long = { ...task, description: 'x'.repeat(1000) };
    const boards = {
      '"c"': keptEntry(
        Object.fromEntries(Array.from({ length: 190 }, (_, index) => [index, long])),
      ),
    };
    for (const large of [boardOf(2000), { ...boardOf(1), boards }])
      expect(await readBack(serialize(large, 'tasks'), 'tasks')).toEqual({ orders });
  });

  test('of an older version are restored as their arrangement alone', async () => {
    const { columnSince: _, ...older } = task;
    const versions = { t: [{ at: '', type: 'intake', since: '' }] };
    const kept = { ids: ['t'], entities: { t: older }, versions, status: 'ready', loadedUntil: '' };
    const text = JSON.stringify({ ...kept, orders, caseId: 'c' });
    expect(await readBack(text, 'tasks')).toEqual({ orders, caseId: 'c' });
    const { tasks } = assembleStore(await readKept()).getState();
    expect(tasks).toEqual({ ...tasksReducer(undefined, { type: 'nothing' }), orders, caseId: 'c' });
  });
});

test('discards mails of an older version, and keeps unsent texts', async () => {
  const attempts = { '+12125550111': { text: 'Dear', key: 'k', isBusy: false } };
  const unsent = { added: ['+12125550112'], drafts: { '+12125550111': 'Dear' }, attempts };
  const lists = { 'inbox ': { section: 'inbox', search: '', ids: ['m'], asks: 0, epoch: -1 } };
  localStorage.setItem('redux-mails', JSON.stringify({ entities: {}, lists, unread: 3, news: 1 }));
  localStorage.setItem('redux-messages', JSON.stringify({ ...unsent, conversations: [] }));
  const { mails, messages } = assembleStore(await readKept()).getState();
  expect(mails).toEqual(mailsReducer(undefined, { type: 'nothing' }));
  expect(messages).toEqual({ ...messagesReducer(undefined, { type: 'nothing' }), ...unsent });
});

test('the persistence writes all keys at sign-in, then those that change, and none when signed out', () => {
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

test('the persistence starts with the stored state, including that of an older version', async () => {
  localStorage.setItem(
    'redux-user',
    JSON.stringify({ ...user, people: [admin], isRestored: true }),
  );
  localStorage.setItem('redux-cases', '{"ids":[],"entities":{},"lists":{},"watched":null}');
  localStorage.setItem('redux-files', '{"ids":[7');
  const { user: kept, cases, files } = assembleStore(await readKept()).getState();
  expect(kept).toMatchObject({ token: 't', current: { id: 'a' }, people: {} });
  expect(cases).toMatchObject({ ids: [], lists: {}, details: {} });
  expect(files.libraries).toEqual({});
});

test('the persistence keeps the session that another tab stored for a different user', () => {
  localStorage.setItem('redux-user', JSON.stringify(user));
  clearStorage('an older token');
  expect(keptSession()).toEqual({ token: 't', id: 'a' });
  clearStorage('t');
  expect(keptSession()).toBeUndefined();
});
