import { act, type ReactNode } from 'react';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { button, click, eventually, render } from '../testing/render.tsx';
import { anyText, useAddress } from './use-address.ts';

const schema = { search: anyText };

function List() {
  const { address, change } = useAddress(schema);
  return (
    <main>
      <p>{`List of ${address.search}`}</p>
      <Link to="/one">One</Link>
      <button type="button" onClick={() => change({ search: 'typed' })}>
        Search
      </button>
    </main>
  );
}

const shown = () => document.querySelector('p')?.textContent;

test('a search that was typed before a click does not keep the page', async () => {
  const chunk = Promise.withResolvers<{ Component: () => ReactNode }>();
  const router = createMemoryRouter([
    { path: '/', Component: List },
    { path: '/one', lazy: () => chunk.promise },
  ]);
  await render(<RouterProvider router={router} />);
  const link = document.querySelector<HTMLElement>('a');
  if (link) await click(link);
  expect(router.state.navigation.location?.pathname).toBe('/one');
  await click(button('Search'));
  await act(async () => chunk.resolve({ Component: () => <p>One of them</p> }));
  await eventually(() => expect(shown()).toBe('One of them'));
});

test('a search does not keep the page before the click is drawn', async () => {
  const chunk = Promise.withResolvers<{ Component: () => ReactNode }>();
  const router = createMemoryRouter([
    { path: '/', Component: List },
    { path: '/one', lazy: () => chunk.promise },
  ]);
  await render(<RouterProvider router={router} />);
  await act(async () => {
    document.querySelector('a')?.click();
    button('Search').click();
  });
  expect(router.state.navigation.location?.pathname).toBe('/one');
  await act(async () => chunk.resolve({ Component: () => <p>One of them</p> }));
  await eventually(() => expect(shown()).toBe('One of them'));
});

test('a search changes the address of its page', async () => {
  const router = createMemoryRouter([{ path: '/', Component: List }]);
  await render(<RouterProvider router={router} />);
  await click(button('Search'));
  expect(shown()).toBe('List of typed');
});
