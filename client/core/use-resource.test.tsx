import { configureStore, createSlice } from '@reduxjs/toolkit';
import { act, useState } from 'react';
import { Provider } from 'react-redux';
import { beforeEach, expect, test } from 'vitest';
import { CallError } from '../api.ts';
import { button, click, eventually, render } from '../testing/render.tsx';
import { everythingStale } from './connection.ts';
import { featureSlice } from './feature-slice.ts';
import { resource } from './resource.ts';
import { useResource } from './use-resource.ts';

type PendingFetch = { query: string; signal: AbortSignal } & PromiseWithResolvers<string>;

let fetches: PendingFetch[];
let store: ReturnType<typeof setUp>['store'];
let words: ReturnType<typeof setUp>['words'];

beforeEach(() => {
  fetches = [];
  ({ store, words } = setUp());
});

const user = createSlice({
  name: 'user',
  initialState: (): { token: string | null } => ({ token: 't' }),
  reducers: {
    signedOut(state) {
      state.token = null;
    },
  },
});

function setUp() {
  const words = resource({
    kept: 1,
    fetch(query: string, { signal }) {
      const reply = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => reply.reject(new DOMException('', 'AbortError')));
      fetches.push({ query, signal, ...reply });
      return reply.promise;
    },
  });
  const { reducer } = featureSlice('test', { words });
  return { words, store: configureStore({ reducer: { test: reducer, user: user.reducer } }) };
}

function Words({ query, batchMs = 0 }: { query: string | null; batchMs?: number }) {
  const { data, status, failure, refresh } = useResource(words, query, { batchMs });
  return (
    <p>
      {[query, data, status, failure?.message].join('|')}
      <button type="button" onClick={refresh}>
        Try again
      </button>
    </p>
  );
}

const show = (page: React.ReactNode) => render(<Provider store={store}>{page}</Provider>);
const shown = () => document.querySelector('p')?.firstChild?.textContent;
const answer = (at: number, text: string) => act(async () => fetches[at]?.resolve(text));
const connect = () => act(async () => store.dispatch(everythingStale()));

test('a page keeps showing the answer while it is fetched again', async () => {
  await show(<Words query="a" />);
  expect(shown()).toBe('a||loading|');
  await answer(0, 'one');
  expect(shown()).toBe('a|one|idle|');
  await connect();
  expect(shown()).toBe('a|one|loading|');
  await answer(1, 'two');
  expect(shown()).toBe('a|two|idle|');
});

test('a page reports why a fetch failed, and retries only on request', async () => {
  await show(<Words query="a" />);
  await act(async () => fetches[0]?.reject(new CallError('No answer', 0)));
  expect(shown()).toBe('a||idle|No answer');
  expect(fetches).toHaveLength(1);
  await click(button('Try again'));
  await answer(1, 'one');
  expect(shown()).toBe('a|one|idle|');
});

test('a page fetches once for two components with the same query', async () => {
  await show(
    <>
      <Words query="a" />
      <Words query="a" />
    </>,
  );
  expect(fetches).toHaveLength(1);
});

test('combines several changes into one fetch', async () => {
  await show(<Words query="a" batchMs={20} />);
  await answer(0, 'one');
  await connect();
  await connect();
  expect(fetches).toHaveLength(1);
  await eventually(() => expect(fetches).toHaveLength(2));
});

function Page() {
  const [query, setQuery] = useState<string | null>('a');
  return (
    <>
      <Words query={query} />
      <button type="button" onClick={() => setQuery(null)}>
        Leave
      </button>
    </>
  );
}

test('a page aborts the fetch of an entry no longer shown, and fetches nothing without a query', async () => {
  await show(<Page />);
  expect(fetches[0]?.signal.aborted).toBe(false);
  await click(button('Leave'));
  expect(fetches[0]?.signal.aborted).toBe(true);
  expect(shown()).toBe('||idle|');
  await connect();
  expect(fetches).toHaveLength(1);
});

test('a page fetches nothing for a user who has signed out', async () => {
  await show(<Words query="a" />);
  await answer(0, 'one');
  await act(async () => store.dispatch(user.actions.signedOut()));
  await connect();
  expect(shown()).toBe('a|one|idle|');
  expect(fetches).toHaveLength(1);
});
