import { configureStore } from '@reduxjs/toolkit';
import { act } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Check, MadeDecision, VisibleHit } from '@matterdesk/contract/conflicts.ts';
import { socketReducer } from '../../core/connection.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { connectStore } from '../../core/store.ts';
import { button, click, eventually, fill, render } from '../../testing/render.tsx';
import { ConflictPage } from './ConflictPage.tsx';
import { checksChanged, conflictsReducer } from './slice.ts';

const ama = { id: 'ama', firstName: 'Ama', lastName: 'Owusu', active: true, role: 'admin' };
const current = { ...ama, permissions: { clearConflicts: true } };
const user = featureSlice('user', {}, { state: { current, token: 't' } });

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

const hitOf = (id: string, name: string): VisibleHit => ({
  id,
  name: 0,
  severity: 'former',
  match: 'exact',
  score: 1,
  reason: 'Same name',
  decisions: [],
  before: [],
  found: {
    name,
    role: 'client',
    source: 'parties',
    contact: null,
    case: null,
    intake: null,
    file: null,
  },
});

const made: MadeDecision = {
  decision: 'decline',
  reason: 'Another person',
  by: { id: 'b', firstName: 'Ben', lastName: 'Ito' },
  at: '2026-11-20T15:30:00.000Z',
  url: null,
  screened: [],
};

/** A check, in which the first hit may have its decision already. */
const checkOf = (decided: readonly MadeDecision[] = []): Check => ({
  id: 'k1',
  number: 7,
  at: '2026-11-20T15:00:00.000Z',
  by: null,
  names: [{ name: 'Marisol Reyes', role: null, emails: [], phoneNumbers: [], otherNames: [] }],
  subject: null,
  searched: [],
  hits: [
    { ...hitOf('h1', 'Marisol Reyes'), decisions: [...decided] },
    hitOf('h2', 'M. Reyes'),
    hitOf('h3', 'Mara Reyes'),
  ],
  answers: [],
  concluded: null,
  rerunOf: null,
  sha256: '',
});

/** Opens the page of a check; each decision waits for `reply`. */
async function open() {
  let present = checkOf();
  const sent: unknown[] = [];
  const keys: (string | null)[] = [];
  const replies: PromiseWithResolvers<Response>[] = [];
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit) => {
    if (path.endsWith('/decisions')) {
      sent.push(JSON.parse(body as string));
      keys.push(new Headers(headers).get('idempotency-key'));
      const reply = Promise.withResolvers<Response>();
      replies.push(reply);
      return reply.promise;
    }
    return Response.json({ message: 'OK', body: { check: present } });
  });
  const store = configureStore({
    reducer: { user: user.reducer, conflicts: conflictsReducer, socket: socketReducer },
  });
  connectStore(store as never);
  const routes = [{ path: '/:id', element: <ConflictPage /> }];
  await render(
    <Provider store={store}>
      <RouterProvider router={createMemoryRouter(routes, { initialEntries: ['/k1'] })} />
    </Provider>,
  );
  await eventually(() => expect(reason()).toBeDefined());
  const change = (next: Check) => {
    present = next;
    store.dispatch(checksChanged());
  };
  return {
    sent,
    keys,
    lose: () => act(async () => replies.shift()?.reject(new TypeError('The connection was lost'))),
    decideElsewhere: () => act(async () => change(checkOf([made]))),
    reply: (status = 200) =>
      act(async () => {
        const isTaken = status === 200;
        if (isTaken) present = checkOf([made]);
        const reply = isTaken ? { check: present } : null;
        replies.shift()?.resolve(Response.json({ message: 'No answer', body: reply }, { status }));
      }),
  };
}

const reason = () => document.querySelector<HTMLInputElement>('[aria-label=Reason]') ?? undefined;
const openHit = () => reason()?.closest('li')?.textContent ?? '';
const decline = () => {
  const last = document.querySelector<HTMLInputElement>('label:last-child > input[type=radio]');
  if (!last) throw new Error('There is no decision to choose');
  return click(last);
};
const write = async (text: string) => {
  const input = reason();
  if (!input) throw new Error('There is no reason to write');
  await fill(input, text);
};

test('a saved decision closes its hit and opens the next one without a decision', async () => {
  const { sent, reply } = await open();
  expect(openHit()).toContain('Marisol Reyes');
  await decline();
  await write('Another person');
  await click(button('Save decision'));
  button('Save decision').focus();
  await reply();
  await eventually(() => expect(openHit()).toContain('M. Reyes'));
  expect(reason()?.value).toBe('');
  expect(document.activeElement).toBe(document.querySelector('ul[aria-label=Hits]'));
  expect(sent).toEqual([{ hitIds: ['h1'], decision: 'decline', reason: 'Another person' }]);
});

test('a reason that is written on while its decision is being saved stays in the open form', async () => {
  const { sent, reply } = await open();
  await decline();
  await write('Another person');
  await click(button('Save decision'));
  await write('Another person, born in 1951');
  await reply();
  await eventually(() => expect(document.querySelector('[aria-busy]')).toBeNull());
  expect(openHit()).toContain('Marisol Reyes');
  expect(reason()?.value).toBe('Another person, born in 1951');
  await click(button('Save decision'));
  await reply();
  await eventually(() => expect(openHit()).toContain('M. Reyes'));
  expect(sent).toHaveLength(2);
});

test('a refused decision keeps what was written before and after it was sent', async () => {
  const { reply } = await open();
  await decline();
  await write('Another person');
  await click(button('Save decision'));
  await write('Another person, born in 1951');
  await reply(500);
  await eventually(() => expect(document.querySelector('[aria-busy]')).toBeNull());
  expect(reason()?.value).toBe('Another person, born in 1951');
});

test('a decision whose reply was lost is sent again with its key', async () => {
  const { keys, lose, reply } = await open();
  await decline();
  await write('Another person');
  await click(button('Save decision'));
  await lose();
  await eventually(() => expect(document.querySelector('[aria-busy]')).toBeNull());
  await click(button('Save decision'));
  await reply();
  await eventually(() => expect(openHit()).toContain('M. Reyes'));
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('a hit that is opened while another one is being saved stays open', async () => {
  const { reply } = await open();
  await decline();
  await write('Another person');
  await click(button('Save decision'));
  const others = [...document.querySelectorAll('button')];
  const last = others.findLast(({ textContent }) => textContent === 'Decide');
  if (last) await click(last);
  expect(document.activeElement?.closest('li')?.textContent).toContain('Mara Reyes');
  await write('A cousin');
  await reply();
  await eventually(() => expect(document.body.textContent).toContain('Ben Ito'));
  expect(openHit()).toContain('Mara Reyes');
  expect(document.activeElement?.closest('li')?.textContent).toContain('Mara Reyes');
  expect(reason()?.value).toBe('A cousin');
});

test('a form that is written in stays open when someone else decides its hit', async () => {
  const { decideElsewhere } = await open();
  await write('Another person');
  await decideElsewhere();
  await eventually(() => expect(document.body.textContent).toContain('2 without'));
  expect(openHit()).toContain('Marisol Reyes');
  expect(reason()?.value).toBe('Another person');
});
