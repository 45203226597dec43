import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { Refusal } from '@matterdesk/contract/errors.ts';
import {
  button,
  click,
  descriptionOf,
  eventually,
  field,
  fill,
  render,
} from '../../testing/render.tsx';
import { visibleToasts } from '../../ui/toast-store.ts';
import { LoginPage } from './LoginPage.tsx';
import { userReducer } from './slice.ts';

afterEach(() => vi.unstubAllGlobals());

const store = configureStore({ reducer: { user: userReducer } });

const open = () =>
  render(
    <Provider store={store}>
      <MemoryRouter>
        <LoginPage />
      </MemoryRouter>
    </Provider>,
  );

async function signIn() {
  await fill(field('Email'), 'ama@firm.example');
  await fill(field('Password'), 'wrong horse battery');
  await click(button('Login'));
}

const lastToast = () => visibleToasts().at(-1)?.text;

test('the sign-in names each missing field and focuses the first', async () => {
  await open();
  await click(button('Login'));
  expect(descriptionOf(field('Email'))).toBe('Email is required');
  expect(descriptionOf(field('Password'))).toBe('Password is required');
  expect(document.activeElement).toBe(field('Email'));
});

test('the sign-in validates the address again while it is corrected', async () => {
  await open();
  await click(button('Login'));
  await fill(field('Email'), 'ama@firm');
  expect(descriptionOf(field('Email'))).toBe('Invalid email format');
  await fill(field('Email'), 'ama@firm.example');
  expect(descriptionOf(field('Email'))).toBe('');
});

test('the sign-in shows why the server refused the sign-in and focuses the password', async () => {
  const refusal: Refusal = {
    statusCode: 401,
    code: 'badCredentials',
    message: 'Invalid email or password',
    body: null,
  };
  vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 401 }));
  await open();
  await signIn();
  await eventually(() => expect(lastToast()).toBe('Invalid email or password'));
  expect(document.activeElement).toBe(field('Password'));
  expect(store.getState().user.token).toBeNull();
});

test('reports that the server cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await open();
  await signIn();
  await eventually(() => expect(lastToast()).toMatch(/^Couldn’t sign in: Can’t reach Matterdesk/));
});
