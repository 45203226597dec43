import { configureStore } from '@reduxjs/toolkit';
import { act } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loggedCall, openCall } from '../../../core/call-card.ts';
import { connectStore } from '../../../core/store.ts';
import { button, click, eventually, field, render } from '../../../testing/render.tsx';
import { closeToast, visibleToasts } from '../../../ui/toast-store.ts';
import { streamReducer } from '../slice.ts';
import { CallCard } from './CallCard.tsx';

beforeEach(() => {
  sessionStorage.clear();
  for (const { id } of visibleToasts()) closeToast(id);
});
afterEach(() => vi.unstubAllGlobals());

/** Opens the card of a call that can be saved, or as given; each save waits for `reply`. */
async function open(own: Parameters<typeof openCall>[0] = {}) {
  const replies: ((reply: Response) => void)[] = [];
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get('idempotency-key'));
    return new Promise<Response>((resolve) => replies.push(resolve));
  });
  const store = configureStore({ reducer: { stream: streamReducer } });
  connectStore(store as never);
  openCall({
    matter: { id: 'c1', label: 'Abara' },
    contact: { id: 'p1', name: 'Ngozi Abara' },
    text: 'She agrees to Thursday.',
    ...own,
  });
  await render(
    <Provider store={store}>
      <CallCard caseField={() => <input id="matter" />} taskDialog={() => null} />
    </Provider>,
  );
  const reply = (status: number, message: string) =>
    act(async () => {
      const body = status === 201 ? { entry: { id: 'e', case: 'c1' } } : null;
      replies.shift()?.(Response.json({ message, body }, { status }));
    });
  return { keys, reply };
}

const save = () => {
  const found = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'SaveCtrl Enter',
  );
  if (!found) throw new Error('The card has no button that saves');
  return found;
};
const toasts = () => visibleToasts().map(({ text }) => text);

test('a call whose card is made small while it is being saved is saved once', async () => {
  const { keys, reply } = await open();
  await click(save());
  await click(button('Make small'));
  await click(button('Open the call with Ngozi Abara'));
  expect(save().getAttribute('aria-busy')).toBe('true');
  await click(save());
  expect(keys).toHaveLength(1);
  await reply(201, 'Entry added');
  await eventually(() => expect(loggedCall()).toBeNull());
  expect(toasts()).toEqual(['Call saved in Abara']);
});

test('the focus follows a call that is made small and opened again', async () => {
  await open();
  field('What was said').focus();
  await click(button('Make small'));
  const pill = button('Open the call with Ngozi Abara');
  expect(document.activeElement).toBe(pill);
  await click(pill);
  expect(document.activeElement).toBe(field('What was said'));
});

test('a call that is saved without a matter leads to the field of the matter', async () => {
  const { keys } = await open({ matter: null });
  field('What was said').focus();
  await click(save());
  expect(document.querySelector('.call-card [role=alert]')?.textContent).toBe(
    'Please select a matter',
  );
  expect(document.activeElement).toBe(document.querySelector('#matter'));
  expect(keys).toEqual([]);
});

test('a small call names its person once there is one', async () => {
  await open({ contact: null });
  await click(button('Make small'));
  expect(button('Open the call').textContent).toContain('Call');
});

test('a save that is refused while the card is small says so, and again in the card', async () => {
  const { keys, reply } = await open();
  await click(save());
  await click(button('Make small'));
  await reply(500, 'The disk is full');
  await eventually(() => expect(toasts()).toEqual(['The disk is full']));
  await click(button('Open the call with Ngozi Abara'));
  expect(document.querySelector('.call-card [role=alert]')?.textContent).toBe('The disk is full');
  expect(field('What was said').value).toBe('She agrees to Thursday.');
  expect(keys).toHaveLength(1);
});

test('no task is begun in a card that closes once its call is saved', async () => {
  const { reply } = await open();
  expect(button('Task').disabled).toBe(false);
  await click(save());
  expect(button('Task').disabled).toBe(true);
  await reply(201, 'Entry added');
  await eventually(() => expect(loggedCall()).toBeNull());
});
