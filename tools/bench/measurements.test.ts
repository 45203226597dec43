import { expect, test } from 'vitest';
import { withTables, slowerThan, toLast, type Measurement } from './measurements.ts';

const document =
  'Before\n\n<!-- bench 5000 -->\n\n| old |\n\n<!-- end of bench 5000 -->\n\nAfter\n';

test('the bench replaces the tables of a size and keeps the text around them', () => {
  expect(withTables(document, 5000, '| new |')).toBe(document.replace('old', 'new'));
});

test('the bench refuses a size that has no place in the document', () => {
  expect(() => withTables(document, 7000, '| new |')).toThrow('has no place for 7000 cases');
});

test('the bench replaces the table of a place with a name', () => {
  const named = document.replaceAll('bench 5000', 'bench beside directus');
  expect(withTables(named, 'beside directus', '| new |')).toBe(named.replace('old', 'new'));
});

const list: Measurement = { name: 'list, p50 in bare statements', value: 1.4, unit: '×' };
const tail: Measurement = { name: 'list, p99 in bare statements', value: 2, unit: '×' };
const idle: Measurement = { name: 'memory when idle', value: 200, unit: 'MB', most: 250 };
const last = toLast([list, tail, idle]);

test('the bench names each row that got slower or larger than the last measurement', () => {
  const now = [{ ...list, value: 1.9 }, tail, { ...idle, value: 270 }];
  expect(slowerThan(last, now).map(({ name }) => name)).toEqual([list.name, idle.name]);
});

test('the bench takes small differences as noise, and larger ones of the slowest calls', () => {
  const now = [
    { ...list, value: 1.7 },
    { ...tail, value: 3 },
    { ...idle, value: 220 },
  ];
  expect(slowerThan(last, now)).toEqual([]);
});

test('the bench accepts faster rows, and rows that were not measured before', () => {
  const now = [
    { ...list, value: 0.9 },
    { ...tail, name: 'board, p99', value: 50 },
  ];
  expect(slowerThan(last, now)).toEqual([]);
});
