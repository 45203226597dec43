import { expect, test } from 'vitest';
import { daysOf, isOpenToAll } from './rules.ts';

test('days begin at midnight of the time zone, also when the clock changes', () => {
  // Clocks in New York go forward on March 8, 2026.
  expect(daysOf(new Date('2026-03-08T04:30:00Z'), 'America/New_York')).toEqual({
    now: new Date('2026-03-08T04:30:00Z'),
    tomorrow: new Date('2026-03-08T05:00:00Z'),
    weekEnds: new Date('2026-03-14T04:00:00Z'),
  });
  expect(daysOf(new Date('2026-03-08T04:30:00Z'), 'UTC').tomorrow).toEqual(
    new Date('2026-03-09T00:00:00Z'),
  );
});

test('every user may move a task or mark it done, and nothing besides', () => {
  expect(isOpenToAll({ type: 'adr' })).toBe(true);
  expect(isOpenToAll({ done: true })).toBe(true);
  expect(isOpenToAll({ type: 'adr', done: true })).toBe(false);
  expect(isOpenToAll({ name: 'File the answer' })).toBe(false);
});
