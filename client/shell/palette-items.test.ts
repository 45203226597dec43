import { expect, test } from 'vitest';
import { totalBeyond } from './palette-items.ts';

test('the palette says how many matched only where more did than are shown', () => {
  expect(totalBeyond(6, 1234)).toBe('1,234');
  expect(totalBeyond(6, 10_000, true)).toBe('10,000+');
  expect(totalBeyond(6, 6)).toBeUndefined();
  expect(totalBeyond(0)).toBeUndefined();
});
