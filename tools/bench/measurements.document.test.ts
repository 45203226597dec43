import { expect, test } from 'vitest';
import { withTables } from './measurements.ts';

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
