import { expect, test } from 'vitest';
import { delimiterOf } from './cases.ts';

test.each([
  ['Name,Number', ','],
  ['Name;Number\nAbara, Ana;1,5', ';'],
  ['Name\tNumber', '\t'],
  ['"Name, given;";Number\r\n', ';'],
  ['Name', ','],
])('the sign between the cells is found by the first line: %j', (text, sign) => {
  expect(delimiterOf(text)).toBe(sign);
});

test('the sign between the cells is found by the first 100,000 characters of a line without an end', () => {
  expect(delimiterOf(';'.repeat(100_000) + ','.repeat(200_000))).toBe(';');
});
