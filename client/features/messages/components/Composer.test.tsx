import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { afterEach, expect, test, vi } from 'vitest';
import { fill, named, render, text } from '../../../testing/render.tsx';
import { messagesReducer } from '../slice.ts';
import { Composer } from './Composer.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const NEW_YORK = '+12125550100';

async function openAt(moment: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(moment) });
  const store = configureStore({ reducer: { messages: messagesReducer } });
  await render(
    <Provider store={store}>
      <Composer pair={{ from: '+16175550100', to: NEW_YORK }} isOff={false} onSent={() => {}} />
    </Provider>,
  );
}

const box = () => named<HTMLTextAreaElement>('Text message');

test('shows how many characters and segments a text has', async () => {
  await openAt('2026-11-20T12:00:00-05:00');
  await fill(box(), 'a'.repeat(160));
  expect(text()).toContain('160/160');
  expect(text()).not.toContain('segments');
  await fill(box(), 'a'.repeat(161));
  expect(text()).toContain('161/306');
  expect(text()).toContain('2 segments');
  await fill(box(), 'ж'.repeat(71));
  expect(text()).toContain('71/134');
});

test('says that it is night where the number is from', async () => {
  await openAt('2026-11-20T22:14:00-05:00');
  expect(text()).not.toContain('New York');
  await fill(box(), 'Hello');
  await vi.waitFor(() =>
    expect(text()).toContain('It’s 10:14 PM in New York, where this number is from.'),
  );
});

test('does not mention the hour during the day', async () => {
  await openAt('2026-11-20T12:00:00-05:00');
  await fill(box(), 'Hello');
  expect(text()).not.toContain('New York');
});
