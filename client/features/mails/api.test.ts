import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { keyOf } from '../../core/resource.ts';
import { store, type RootState } from '../../core/store.ts';
import { mailList } from './api.ts';
import { type ListQuery, mailsReducer, sectionChanged } from './slice.ts';

const INBOX: ListQuery = { section: 'inbox', search: '' };

let inbox: string[];
let limits: number[];
let mails: ReturnType<typeof createStore>;

beforeEach(() => {
  inbox = Array.from({ length: 60 }, (_, at) => `m${60 - at}`);
  limits = [];
  mails = createStore();
  vi.spyOn(store, 'getState').mockImplementation(
    mails.getState as () => unknown as () => RootState,
  );
  vi.stubGlobal('fetch', async (url: string) => Response.json(answer(url)));
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
});

test('the mailbox fetches a burst of new mails as a single short page', async () => {
  await load();
  receive('n1', 'n2');
  receive('n3');
  await load();
  expect(limits).toEqual([25, 4]);
  expect(shown().slice(0, 4)).toEqual(['n3', 'n2', 'n1', 'm60']);
  expect(shown()).toHaveLength(28);
});

test('the mailbox fetches a whole page when a short page does not reach the loaded rows', async () => {
  await load();
  receive('n1');
  inbox.unshift('unannounced', 'another');
  await load();
  expect(limits).toEqual([25, 2, 25]);
  expect(shown().slice(0, 4)).toEqual(['unannounced', 'another', 'n1', 'm60']);
});

test('the mailbox fetches a whole page after a change that names no mails', async () => {
  await load();
  receive('n1');
  mails.dispatch(sectionChanged({ section: 'inbox', ids: [] }));
  await load();
  expect(limits).toEqual([25, 25]);
});

function createStore() {
  const user = () => ({ current: { email: 'ama@firm.example' } });
  return configureStore({ reducer: combineReducers({ mails: mailsReducer, user }) });
}

function answer(url: string) {
  const limit = Number(new URL(url, 'http://firm.example').searchParams.get('limit'));
  limits.push(limit);
  const person = { name: '', email: '' };
  const rows = inbox.slice(0, limit).map((id) => ({ id, from: person, to: person }));
  const body = {
    data: { inbox: rows },
    nextCursor: { inbox: 'next' },
    total: { inbox: inbox.length },
    unread: { inbox: 0 },
  };
  return { statusCode: 200, message: 'OK', body };
}

function receive(...ids: string[]) {
  inbox.unshift(...ids.toReversed());
  mails.dispatch(sectionChanged({ section: 'inbox', ids }));
}

async function load() {
  const { dispatch, getState } = mails;
  const thunk = mailList.load(INBOX);
  await thunk(dispatch as never, getState as never);
}

function shown() {
  return mails.getState().mails.lists[keyOf(INBOX)]?.data?.mails.map(({ id }) => id) ?? [];
}
