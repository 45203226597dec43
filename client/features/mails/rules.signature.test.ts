import { expect, test } from 'vitest';
import { signed } from './rules.signature.ts';
import { NOTHING_WRITTEN } from './rules.writing.ts';

test('a signature is below what is written, and above what is quoted', () => {
  const withText = (text: string) => signed({ ...NOTHING_WRITTEN, text }, 'Ada\nOwusu Law').text;
  expect(withText('')).toBe('\n\nAda\nOwusu Law');
  expect(withText('Dear Ms. Reyes,\n')).toBe('Dear Ms. Reyes,\n\nAda\nOwusu Law');
  expect(withText('\n\nOn Monday, Jane wrote:\n> Hi')).toBe(
    '\n\nAda\nOwusu Law\n\nOn Monday, Jane wrote:\n> Hi',
  );
  expect(signed(NOTHING_WRITTEN, '')).toBe(NOTHING_WRITTEN);
});
