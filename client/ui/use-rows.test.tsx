import { act, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { useRows } from './use-rows.ts';

const MANY = Array.from({ length: 500 }, (_, index) => `row ${index}`);

beforeEach(() => {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  onTestFinished(() => height.mockRestore());
});

describe('useRows', () => {
  test('renders only the rows in view of a long list', async () => {
    const { rows } = await show({ ids: MANY });
    expect(rows()[0]).toBe('row 0');
    expect(rows().length).toBeLessThan(60);
  });

  test('moves by j and k from anywhere on the page, except while a field has the focus', async () => {
    const { press, field } = await show({ ids: ['a', 'b', 'c'], isPageWide: true });
    await press('j');
    expect(focused()).toBe('a');
    await press('j');
    expect(focused()).toBe('b');
    await press('k');
    expect(focused()).toBe('a');
    await act(async () => field().focus());
    await press('j');
    expect(document.activeElement).toBe(field());
  });

  test('moves by arrows, Home and End only inside the list', async () => {
    const { press, focus } = await show({ ids: ['a', 'b', 'c'], isPageWide: true });
    await press('ArrowDown');
    expect(focused()).toBeNull();
    await focus('b');
    await press('ArrowDown');
    expect(focused()).toBe('c');
    await press('Home');
    expect(focused()).toBe('a');
    await press('End');
    expect(focused()).toBe('c');
    await press('ArrowUp');
    expect(focused()).toBe('b');
  });

  test('ignores j outside a list that shares its page with others', async () => {
    const { press } = await show({ ids: ['a', 'b'] });
    await press('j');
    expect(focused()).toBeNull();
  });

  test('keeps the focus on its row when rows appear above it', async () => {
    const { focus, update } = await show({ ids: ['a', 'b', 'c'] });
    await focus('b');
    await update({ ids: ['new', 'b', 'a', 'c'] });
    expect(focused()).toBe('b');
  });

  test('keeps the focused row in the document when it scrolls out of view', async () => {
    const { focus, update, rows } = await show({ ids: MANY });
    await focus('row 3');
    await update({ ids: [...MANY.filter((id) => id !== 'row 3'), 'row 3'] });
    expect(focused()).toBe('row 3');
    expect(rows().at(-1)).toBe('row 3');
  });

  test('moves the focus to the row in its place when the focused row disappears', async () => {
    const { focus, update } = await show({ ids: ['a', 'b', 'c'] });
    await focus('b');
    await update({ ids: ['a', 'c'] });
    expect(focused()).toBe('c');
    await update({ ids: ['a'] });
    expect(focused()).toBe('a');
  });

  test('moves the focus to the page when the last row or the whole list disappears', async () => {
    const { focus, update } = await show({ ids: ['a'] });
    await focus('a');
    await update({ ids: [] });
    expect(document.activeElement?.tagName).toBe('MAIN');
    await update({ ids: ['a'] });
    await focus('a');
    await update(null);
    expect(document.activeElement?.tagName).toBe('MAIN');
  });

  test('leaves the focus alone when it is elsewhere', async () => {
    const { field, update } = await show({ ids: ['a', 'b'] });
    await act(async () => field().focus());
    await update({ ids: ['b'] });
    expect(document.activeElement).toBe(field());
  });

  test('opens the neighbors of the open item, and focuses its row after it closes', async () => {
    const onOpen = vi.fn<(id: string) => void>();
    const { press, update } = await show({ ids: ['a', 'b'], open: 'a', onOpen, isPageWide: true });
    await press('j');
    expect(onOpen).toHaveBeenCalledExactlyOnceWith('b');
    expect(focused()).toBeNull();
    await update({ ids: ['a', 'b'], open: 'b', onOpen, isPageWide: true });
    await update({ ids: ['a', 'b'], open: null, onOpen, isPageWide: true });
    expect(focused()).toBe('b');
  });

  test('focuses the last row and restores the scroll position when the reader goes back', async () => {
    const { press, navigate, scroller } = await show({ ids: MANY, isPageWide: true });
    await press('j');
    await press('j');
    await act(async () => {
      scroller().scrollTop = 120;
      scroller().dispatchEvent(new Event('scroll'));
    });
    await navigate('/elsewhere');
    expect(focused()).toBeNull();
    await navigate(-1);
    expect(focused()).toBe('row 1');
    expect(scroller().scrollTop).toBe(120);
  });
});

type Shown = Omit<Parameters<typeof useRows>[0], 'list' | 'rowHeight'> | null;

let change: (next: Shown) => void;
let tests = 0;

function List({ name, options }: { name: string; options: NonNullable<Shown> }) {
  const { items, rowsProps } = useRows<HTMLUListElement>({ ...options, list: name, rowHeight: 40 });
  return (
    <ul {...rowsProps}>
      {items.map(({ id }) => (
        <li key={id} data-row={id}>
          <a href="#row">{id}</a>
        </li>
      ))}
    </ul>
  );
}

function Page({ name, first }: { name: string; first: Shown }) {
  const [options, setOptions] = useState(first);
  useEffect(() => {
    change = setOptions;
  }, []);
  return (
    <main tabIndex={-1}>
      <input />
      <div data-scroller>{options && <List name={name} options={options} />}</div>
    </main>
  );
}

async function show(options: Shown) {
  const name = `list ${(tests += 1)}`;
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  onTestFinished(() => act(async () => root.unmount()));
  const router = createMemoryRouter([
    { path: '/', Component: () => <Page name={name} first={options} /> },
    { path: '/elsewhere', Component: () => null },
  ]);
  await act(async () => root.render(<RouterProvider router={router} />));
  const find = <E extends HTMLElement>(selector: string) => host.querySelector(selector) as E;
  return {
    field: () => find<HTMLInputElement>('input'),
    scroller: () => find('[data-scroller]'),
    rows: () => [...host.querySelectorAll('[data-row]')].map((row) => row.textContent),
    focus: (id: string) => act(async () => find(`[data-row="${id}"] a`).focus()),
    navigate: (to: string | number) =>
      act(async () => (typeof to === 'number' ? router.navigate(to) : router.navigate(to))),
    update: (next: Shown) => act(async () => change(next)),
    press: (key: string) =>
      act(async () => {
        const target = document.activeElement ?? document.body;
        target.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
        );
      }),
  };
}

function focused(): string | null {
  return document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? null;
}
