import { expect, test } from 'vitest';
import { afterPage, continueWalk, distinctAddresses, queryOf, type MailboxWalk } from './rules.ts';

const START = new Date('2026-03-05T10:00:00Z');
const fresh: MailboxWalk = {
  walked_until: null,
  walk_started: null,
  walk_cursor: null,
  walk_left: 0,
};
const page = (count: number, next?: string) => ({
  ids: Array.from({ length: count }, (_, index) => `m${index}`),
  next,
  estimate: count,
});

test('a walk continues where it stopped, or starts anew', () => {
  const started = continueWalk(fresh, START);
  expect(started).toEqual({ ...fresh, walk_started: START, walk_left: 5000 });
  expect(continueWalk({ ...started, walk_cursor: 'p2' }, new Date())).toEqual({
    ...started,
    walk_cursor: 'p2',
  });
});

test('a walk ends with the last page, and the next one reads from its start', () => {
  const second = afterPage(continueWalk(fresh, START), page(100, 'p2'));
  expect(second).toMatchObject({ walk_cursor: 'p2', walk_left: 4900 });
  const ended = afterPage(second, page(20));
  expect(ended).toEqual({ ...fresh, walked_until: START });
  expect(queryOf(fresh)).toBeUndefined();
  expect(queryOf(ended)).toBe(`after:${START.getTime() / 1000 - 600}`);
});

test('a walk ends at its limit of mails', () => {
  const last = { ...continueWalk(fresh, START), walk_left: 100 };
  expect(afterPage(last, page(100, 'next')).walk_started).toBeNull();
});

test('the directory keeps each address once per name, and drops what is no address', () => {
  const ann = { name: 'Ann', email: 'ann@x.example' };
  const found = [ann, { ...ann, email: 'ANN@x.example' }, { name: '', email: 'undisclosed' }];
  expect(distinctAddresses(found)).toHaveLength(1);
  expect(distinctAddresses([ann, { ...ann, name: 'Ann Smith' }])).toHaveLength(2);
  expect(distinctAddresses([{ name: 'ann@x.example', email: 'ann@x.example' }])).toEqual([
    { name: '', email: 'ann@x.example' },
  ]);
});
