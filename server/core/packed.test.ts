import { expect, test } from 'vitest';
import { PackedList } from './packed.ts';

test('a packed list returns what was put in, in order', () => {
  const list = new PackedList<{ name: string; parts: (string | null)[] }>();
  const items = ['Jane', 'Zoë\n"Ž" 𝒳', '\uD800'].map((name) => ({ name, parts: [name, null] }));
  list.push(items.slice(0, 1));
  list.push([]);
  list.push(items.slice(1));
  expect(list).toHaveLength(3);
  expect(list.slice(0, 3)).toEqual(items);
  expect(list.slice(2, 9)).toEqual(items.slice(2));
});

test('a packed list hands out its first items for good', () => {
  const list = new PackedList<number>();
  list.push([1, 2, 3]);
  expect(list.take(2)).toEqual([1, 2]);
  expect(list.take(2)).toEqual([3]);
  expect(list.take(2)).toEqual([]);
  expect(list).toHaveLength(0);
});
