import { expect, test } from 'vitest';
import { Turns, type WaitingDocument } from './rules.ts';

const waiting = (...people: string[]): WaitingDocument[] =>
  people.map((person) => {
    const own = { document: `of ${person}`, job: `job of ${person}` };
    return { person, ...own, running: 0 };
  });

test('the training takes turns between people, those without one first', () => {
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

test('the training gives a place to a person without a running training first, however long ago the last turn of another is', () => {
  const turns = new Turns();
  const [first, second] = waiting('a', 'b');
  if (!first || !second) throw new Error('no one waits');
  turns.note(first);
  turns.note(second);
  expect(turns.next([{ ...first, running: 1 }, second])?.person).toBe('b');
  expect(turns.next([{ ...first, running: 1 }])?.person).toBe('a');
});
