import { expect, test } from 'vitest';
import { findWords } from './find-words.ts';

test('the find bar finds words in either case and across line breaks, but not across other words', () => {
  expect(findWords('The art of\nthe heart', 'HEART')).toEqual([{ start: 15, end: 20 }]);
  expect(findWords('one  two\nThree', ' two three ')).toEqual([{ start: 5, end: 14 }]);
});

test('the find bar matches the special characters of patterns literally', () => {
  expect(findWords('a ($1,000.00) b', '($1,000.00)')).toEqual([{ start: 2, end: 13 }]);
  expect(findWords('a+b', '.')).toEqual([]);
});

test('the find bar finds nothing for a blank search', () => {
  expect(findWords('words', '  ')).toEqual([]);
});
