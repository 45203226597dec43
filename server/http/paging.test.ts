import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openCase, registerAdmin } from '../testing/factories.ts';
import { cutPage, describeTotal, INSTANT, pageLimit, readCursor, writeCursor } from './paging.ts';

describe('a cursor', () => {
  const shape = [/^\d{1,5}$/, /^[a-zé"]*$/];

  test('holds the key of the last row', () => {
    const key = ['42', 'né"'];
    expect(readCursor(writeCursor(key), shape)).toEqual(key);
    expect(writeCursor(key)).toMatch(/^[\w-]+$/);
  });

  test.each([
    ['words', 'next'],
    ['invalid base64', '***'],
    ['invalid JSON', Buffer.from('42').toString('base64url').slice(1)],
    ['another shape', writeCursor(['x', 'a'])],
    ['too few parts', writeCursor(['42'])],
    ['too many parts', writeCursor(['42', 'a', 'b'])],
    ['an object', Buffer.from('{"0":"42"}').toString('base64url')],
    ['numbers', Buffer.from('[42,"a"]').toString('base64url')],
    ['padding', `${writeCursor(['42', 'a'])}==`],
    ['spaces', Buffer.from('["42", "a"]').toString('base64url')],
    ['line breaks', `${writeCursor(['42', 'a'])}\n`],
  ])('made of %s is refused', (_, cursor) => {
    expect(() => readCursor(cursor, shape)).toThrow('Invalid cursor');
  });

  test('with an instant is refused unless the instant exists', () => {
    const at = '2026-11-28T09:00:00.000Z';
    expect(readCursor(writeCursor([at]), [INSTANT])).toEqual([at]);
    const never = writeCursor(['2026-13-01T09:00:00.000Z']);
    expect(() => readCursor(never, [INSTANT])).toThrow('Invalid cursor');
  });
});

test('requests a page when a limit, a cursor or a search is given', () => {
  expect(pageLimit({})).toBeUndefined();
  expect(pageLimit({ limit: 7 })).toBe(7);
  expect(pageLimit({ search: 'a' })).toBe(50);
  expect(pageLimit({ cursor: 'a' })).toBe(50);
  expect(pageLimit({ cursor: 'a', limit: 200 })).toBe(200);
});

test('a page returns a cursor only when there are more rows', () => {
  const keyOf = (row: string) => [row];
  expect(cutPage(['a', 'b'], 2, keyOf)).toEqual({ page: ['a', 'b'], nextCursor: null });
  expect(cutPage(['a', 'b', 'c'], 2, keyOf)).toEqual({
    page: ['a', 'b'],
    nextCursor: writeCursor(['b']),
  });
  expect(cutPage([], 2, keyOf)).toEqual({ page: [], nextCursor: null });
});

test('a page counts exactly up to 10,000, and marks larger totals as capped', () => {
  expect(describeTotal(10_000)).toEqual({ total: 10_000 });
  expect(describeTotal(10_001)).toEqual({ total: 10_000, totalIsCapped: true });
});

describe('a request with a cursor', () => {
  let app: TestApp;
  let token: string;
  let caseId: string;

  beforeAll(async () => {
    app = await startTestApp();
    ({ token } = await registerAdmin(app));
    await registerAdmin(app);
    await openCase(app, token);
    ({ id: caseId } = await openCase(app, token));
  });
  afterAll(() => app.close());

  const get = (path: string) => app.request(path, { headers: { 'x-auth-token': token } });

  test.each([
    ['of another list', writeCursor(['Lovelace', 'Ada'])],
    ['a number out of range', writeCursor(['9'.repeat(19)])],
    ['an invalid id', writeCursor(['a', 'b', '-'.repeat(36)])],
    ['NUL', writeCursor(['\0', '\0', '00000000-0000-0000-0000-000000000000'])],
    ['a word', 'next'],
  ])('is refused when the cursor is invented: %s', async (_, cursor) => {
    for (const path of ['/api/v1/cases', '/api/v1/users', `/api/v1/cases/${caseId}/activity`])
      expect(await get(`${path}?cursor=${cursor}`)).toMatchObject({
        status: 400,
        message: 'Invalid cursor',
        errors: [{ path: 'cursor' }],
      });
  });

  test.each(['', '%20'])('is refused when the cursor is blank: "%s"', async (cursor) => {
    expect(await get(`/api/v1/users?cursor=${cursor}`)).toMatchObject({ status: 400 });
  });
});
