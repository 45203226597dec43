import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { indexForLetters } from './list-keys.ts';
import { useListBox } from './use-list-box.ts';

const NAMES = ['Ada', 'Anna', 'Bert', 'Kim Larsen'];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a list box moves to the next name by a letter, and stays while more letters match', () => {
  const names = ['Ada', 'Anna', 'Bert', 'Andrea'].map((name) => [name]);
  expect(indexForLetters(names, 'a', 0)).toBe(1);
  expect(indexForLetters(names, 'an', 0)).toBe(1);
  expect(indexForLetters(names, 'and', 1)).toBe(3);
  expect(indexForLetters(names, 'b', 2)).toBe(2);
  expect(indexForLetters(names, 'z', 0)).toBe(-1);
});

test('a list box moves by j, k, arrows, Home and End, and chooses by Enter and space', async () => {
  const { press, active, chosen } = await show();
  await press('j', 'j', 'k', 'ArrowDown');
  expect(active()).toBe('Anna');
  await press('Enter');
  await press('End');
  expect(active()).toBe('Kim Larsen');
  await press('Escape', ' ', 'Home');
  expect(active()).toBe('Ada');
  expect(chosen).toEqual(['Anna', 'Kim Larsen']);
});

test('combines letters typed within 350 ms, including spaces', async () => {
  const { press, active, chosen } = await show();
  await press('b');
  expect(active()).toBe('Bert');
  await vi.advanceTimersByTimeAsync(351);
  await press('a', 'n');
  expect(active()).toBe('Anna');
  await vi.advanceTimersByTimeAsync(351);
  await press('k', 'i', 'm', ' ', 'l');
  expect(active()).toBe('Kim Larsen');
  expect(chosen).toEqual([]);
});

test('a list box leaves keys with a modifier to the browser', async () => {
  const { press, active } = await show({ ctrlKey: true });
  await press('j');
  expect(active()).toBeUndefined();
});

async function show(modifier: KeyboardEventInit = {}) {
  const chosen: string[] = [];
  let active: string | undefined;
  function List() {
    const { at, handleKeyDown, rowsProps } = useListBox({
      list: 'names',
      ids: NAMES,
      names: NAMES.map((name) => [name]),
      chosen: null,
      rowHeight: 40,
      onChoose: (id) => chosen.push(id),
    });
    active = NAMES[at];
    return (
      <div role="listbox" tabIndex={0} onKeyDown={handleKeyDown}>
        <div {...rowsProps} />
      </div>
    );
  }
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  onTestFinished(() => act(async () => root.unmount()));
  await act(async () =>
    root.render(
      <MemoryRouter>
        <List />
      </MemoryRouter>,
    ),
  );
  const press = async (...keys: string[]) => {
    for (const key of keys)
      await act(async () =>
        host
          .querySelector('[role=listbox]')
          ?.dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...modifier }),
          ),
      );
  };
  return { press, active: () => active, chosen };
}
