import { expect, test } from 'vitest';
import { findWords } from './find-words.ts';

test('words are found in either case and over the end of a line, and never across words', () => {
  expect(findWords('The art of\nthe heart', 'HEART')).toEqual([{ start: 15, end: 20 }]);
  expect(findWords('one  two\nThree', ' two three ')).toEqual([{ start: 5, end: 14 }]);
});

test('signs that patterns are made of stand for themselves', () => {
  expect(findWords('a ($1,000.00) b', '($1,000.00)')).toEqual([{ start: 2, end: 13 }]);
  expect(findWords('a+b', '.')).toEqual([]);
});

test('nothing is found for nothing', () => {
  expect(findWords('words', '  ')).toEqual([]);
});
