import { describe, expect, test } from 'vitest';
import { align, verifyClaims } from './rules.claims.ts';

const passages = [
  {
    n: 1,
    heading: 'Rent',
    text: 'The tenant shall pay a monthly rent of $1,450.00. A late charge applies after five days of de-\nlay.',
  },
  {
    n: 2,
    heading: 'Term',
    text: 'This Lease begins on March 3, 2024 and ends twelve months later.',
  },
];
const verify = (written: string, known = '') => verifyClaims(written, passages, known);
const marked = (written: string, known = '') => {
  const { text, unsupported } = verify(written, known);
  return unsupported.map(({ start, end }) => text.slice(start, end));
};

test('an answer keeps supported citations under their numbers, each once', () => {
  const { text, uses, unsupported } = verify(
    'The rent is $1,450 a month [1]. The lease begins March 3, 2024 [2].',
  );
  expect(text).toBe('The rent is $1,450 a month. [1] The lease begins March 3, 2024. [2]');
  expect(uses.map(({ n, passage }) => [n, passage])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(unsupported).toEqual([]);
});

test('an answer gives a passage that is cited again another number, with the other sentence', () => {
  const { text, uses } = verify(
    'The monthly rent is $1,450 [1]. A late charge applies after 5 days of delay [1].',
  );
  expect(text).toMatch(/\[1\].*\[2\]$/);
  expect(uses.map(({ passage }) => passage)).toEqual([1, 1]);
  expect(uses[0]?.sentence).not.toEqual(uses[1]?.sentence);
});

describe('a sentence is marked as unsupported', () => {
  test.each([
    ['without a citation', 'The monthly rent is $1,450.'],
    ['with an unknown citation', 'The monthly rent is $1,450 [9].'],
    ['with another amount', 'The monthly rent is $1,540 [1].'],
    ['with another amount in words', 'A late charge applies after six days of delay [1].'],
    ['with another date', 'This Lease begins on April 3, 2024 [2].'],
    ['with another year', 'This Lease begins on March 3, 2025 [2].'],
    ['with a wrong quotation', 'The tenant shall pay “a weekly rent” [1].'],
    ['with an unknown name', 'The tenant Rupert Jones shall pay a monthly rent [1].'],
    ['with another topic', 'Parking costs extra on weekends and holidays [1].'],
  ])('%s', (_, written) => {
    expect(marked(written)).toHaveLength(1);
    expect(verify(written).uses).toEqual([]);
    expect(verify(written).text).not.toMatch(/\[\d+\]/);
  });

  test('without its neighbors', () => {
    expect(
      marked('The monthly rent is $1,450 [1]. The rent is $9. The lease begins March 3, 2024 [2].'),
    ).toEqual(['The rent is $9.']);
  });
});

test('an answer ignores line breaks, hyphenation and the spelling of numbers', () => {
  expect(marked('A late charge applies “after five days of delay” [1].')).toEqual([]);
  expect(marked('The lease ends 12 months later [2].')).toEqual([]);
});

test('an answer accepts names from the question and the file name', () => {
  expect(marked('The monthly rent in the Whitfield lease is $1,450 [1].')).toHaveLength(1);
  expect(
    marked('The monthly rent in the Whitfield lease is $1,450 [1].', 'Lease Whitfield.txt'),
  ).toEqual([]);
});

test('an answer splits lists of numbers, and keeps the offsets correct', () => {
  const { text, uses, unsupported } = verify(
    '- The rent is $1,450 monthly [1, 2]\n- Nothing else\n',
  );
  expect(uses.map(({ passage }) => passage)).toEqual([1]);
  expect(unsupported.map(({ start, end }) => text.slice(start, end))).toEqual(['- Nothing else']);
});

test('aligns a claim with the sentence that supports it', () => {
  const text = passages[0]?.text ?? '';
  const { start, end } = align('There is a late charge after five days.', text);
  expect(text.slice(start, end)).toMatch(/^A late charge/);
});
