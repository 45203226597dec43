import { expect, test } from 'vitest';
import { checkClocks } from './clocks.ts';

const path = 'server/features/notices/store.ts';
const check = (text: string, at = path) => checkClocks([{ path: at, text }]);

test.each([
  'sql`select id from reminders where fire_at <= clock_timestamp()`',
  "query.where('poll_at', '<=', sql<Date>`clock_timestamp()`)",
  'sql`deleted_at < clock_timestamp() - make_interval(days => 30)`',
  'sql<Date>`clock_timestamp() - make_interval(secs => 5)`',
])('the check refuses %s', (text) => {
  expect(check(`const one = 1;\n${text};\n`)).toEqual([
    { path: `${path}:2`, message: expect.stringContaining('statement_timestamp()') },
  ]);
});

test.each([
  'sql`select id from reminders where fire_at <= statement_timestamp()`',
  'sql`update tasks set deleted_at = clock_timestamp()`',
  'sql`greatest(clock_timestamp(), updated_at)`',
])('the check accepts %s', (text) => {
  expect(check(text)).toEqual([]);
});

test('the check leaves tests and migrations alone', () => {
  const text = 'sql`delete from notices where at < clock_timestamp()`';
  const paths = ['server/testing/app.ts', 'server/db/migrations/0028-x.ts', 'server/db/a.test.ts'];
  expect(paths.flatMap((one) => check(text, one))).toEqual([]);
});
