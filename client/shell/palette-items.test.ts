import { expect, test } from 'vitest';
import { matchingBeyond } from './palette-items.ts';

test('the palette says how many matched only where more did than are shown', () => {
  expect(matchingBeyond(6, 1234)).toBe('1,234');
  expect(matchingBeyond(6, 10_000, true)).toBe('10,000+');
  expect(matchingBeyond(6, 6)).toBeUndefined();
  expect(matchingBeyond(0)).toBeUndefined();
});
