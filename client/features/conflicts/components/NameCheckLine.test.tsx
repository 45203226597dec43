import { configureStore } from '@reduxjs/toolkit';
import { act } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectStore } from '../../../core/store.ts';
import { button, click, render } from '../../../testing/render.tsx';
// Loaded with the file, as the test is about the answer, and not about how long the code of a call takes to arrive.
import '../api.ts';
import { conflictsReducer } from '../slice.ts';
import { NameCheckLine } from './NameCheckLine.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const user = { token: 'token', current: null };
const store = configureStore({ reducer: { conflicts: conflictsReducer, user: () => user } });
connectStore(store as never);

const text = () => document.body.textContent;
/** Until a name that is no longer typed has its answer on the page. */
async function settle() {
  for (let step = 0; step < 3; step += 1) await act(() => vi.advanceTimersByTimeAsync(500));
}

test('a name that could not be checked is checked again by hand', async () => {
  let calls = 0;
  vi.stubGlobal('fetch', async () => {
    calls += 1;
    if (calls === 1) throw new TypeError('Failed to fetch');
    return Response.json({ statusCode: 200, message: 'OK', body: { hits: [] } });
  });
  await render(
    <Provider store={store}>
      <NameCheckLine name="Imani Castellanos" partyRole="client" />
    </Provider>,
  );
  expect(text()).toBe('Checking');
  await settle();
  expect(text()).toBe('Couldn’t check the name. Try again');
  await click(button('Try again'));
  await settle();
  expect(text()).toBe('No match');
  expect(calls).toBe(2);
});
