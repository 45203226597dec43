import { expect, test } from 'vitest';
import { Turns, type Waiting } from './rules.turns.ts';

const waiting = (...people: string[]): Waiting[] =>
  people.map((person) => ({ person, document: `of ${person}`, job: `job of ${person}` }));

test('takes turns between people, those without one first', () => {
  const turns = new Turns();
  const order: (string | undefined)[] = [];
  const queues = [['a', 'b'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'c'], ['a']];
  for (const people of queues) {
    const next = turns.next(waiting(...people));
    order.push(next?.person);
    if (next) turns.note(next);
  }
  expect(order).toEqual(['a', 'b', 'c', 'a', 'c', 'a']);
  expect(turns.next([])).toBeUndefined();
});
