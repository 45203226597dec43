import { expect, test } from 'vitest';
import { readToLength } from './read-to-length.ts';
import type { FetchContext } from './resource.ts';

const PAGE = 100;
const LAST = 1450;

/** Reads pages of a long list, and keeps the cursors it was asked for. */
function reading() {
  const asked: (string | undefined)[] = [];
  const read = async (cursor: string | undefined) => {
    asked.push(cursor);
    const start = Number(cursor ?? 0);
    const end = Math.min(start + PAGE, LAST);
    const items = Array.from({ length: end - start }, (_, index) => start + index);
    return { items, total: LAST, nextCursor: end < LAST ? String(end) : null };
  };
  return { asked, read };
}

const fetching = (cursor: string | undefined, rows: number): FetchContext => ({
  signal: new AbortController().signal,
  cursor,
  rows,
  read: () => Promise.reject(new Error('The page is read by its own function')),
});

test('a list is read again until it has as many rows as are shown', async () => {
  const { asked, read } = reading();
  const page = await readToLength('items', fetching(undefined, 250), read);
  expect(asked).toEqual([undefined, '100', '200']);
  expect(page).toMatchObject({ total: LAST, nextCursor: '300' });
  expect(page.items).toHaveLength(300);
});

test('a list without rows on the screen is read page by page', async () => {
  const { asked, read } = reading();
  expect((await readToLength('items', fetching(undefined, 0), read)).items).toHaveLength(PAGE);
  expect((await readToLength('items', fetching('1400', 1400), read)).nextCursor).toBeNull();
  expect(asked).toEqual([undefined, '1400']);
});

test('a long list is read again up to 1000 rows', async () => {
  const { read } = reading();
  const page = await readToLength('items', fetching(undefined, 1400), read);
  expect(page.items).toHaveLength(1000);
  expect(page.nextCursor).toBe('1000');
});
