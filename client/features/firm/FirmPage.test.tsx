import { configureStore } from '@reduxjs/toolkit';
import { act } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { Firm } from '@matterdesk/contract/firm.ts';
import { socketReducer } from '../../core/connection.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { firm } from '../../core/firm.ts';
import { connectStore } from '../../core/store.ts';
import { button, click, eventually, field, fill, render } from '../../testing/render.tsx';
import { FirmPage } from './FirmPage.tsx';

const current = { id: 'ama', firstName: 'Ama', lastName: 'Owusu', role: 'admin', permissions: {} };
const user = featureSlice('user', { firm }, { state: { current, token: 't' } });

const start: Firm = {
  name: 'Owusu Law',
  address: '1 Main Street',
  phone: '',
  letterhead: '',
  timeZone: 'America/New_York',
  morning: '08:00',
  dualControl: false,
  trainUploads: true,
  secondFactor: 'optional',
  idleMinutes: 30,
  setUp: true,
};

afterEach(() => vi.unstubAllGlobals());

test('a setting that is typed while others are being saved stays, unsaved', async () => {
  let present = start;
  const held = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (_: string, { method, body }: RequestInit) => {
    if (method !== 'GET') {
      present = { ...present, ...(JSON.parse(body as string) as Partial<Firm>) };
      await held.promise;
    }
    return Response.json({ message: 'OK', body: { firm: present } });
  });
  const store = configureStore({ reducer: { user: user.reducer, socket: socketReducer } });
  connectStore(store as never);
  const router = createMemoryRouter([{ path: '/', element: <FirmPage /> }]);
  await render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  await eventually(() => expect(field('Name').value).toBe('Owusu Law'));
  await fill(field('Name'), 'Owusu & Ito');
  await click(button('Save changes'));
  await fill(field('Phone'), '518 555 0100');
  await act(async () => held.resolve());
  await eventually(() => expect(document.querySelector('[aria-busy]')).toBeNull());
  expect(field('Name').value).toBe('Owusu & Ito');
  expect(field('Phone').value).toBe('518 555 0100');
  expect(document.body.textContent).toContain('Not saved yet');
  await click(button('Save changes'));
  await eventually(() => expect(present.phone).toBe('518 555 0100'));
  await eventually(() => expect(document.body.textContent).not.toContain('Not saved yet'));
});
