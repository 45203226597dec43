import { expect, test } from 'vitest';
import { findWords, findSpans } from './find-text.ts';

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

function find(shown: string, text: string, part: string, turn = 0) {
  let start = text.indexOf(part);
  for (let at = 0; at < turn; at += 1) start = text.indexOf(part, start + 1);
  return findSpans(shown, { text, span: { start, end: start + part.length } }).map((span) =>
    shown.slice(span.start, span.end),
  );
}

test('the highlight matches despite different spaces, hyphenation, ligatures and quotation marks', () => {
  const text = 'The policy is limited to “one million” dollars, the final offer.';
  const shown = 'Thepolicy is lim-\nited to "one mil\u00adlion" dollars, the \ufb01nal offer.';
  expect(find(shown, text, 'is limited to “one million” dollars')).toEqual([
    'is lim-\nited to "one mil\u00adlion" dollars',
  ]);
  expect(find(shown, text, 'final')).toEqual(['\ufb01nal']);
});

test('the highlight includes a period or a quotation mark at the edge of the passage', () => {
  const text = 'He said: “Paid in full.” Nothing else.';
  expect(find(text, text, '“Paid in full.”')).toEqual(['“Paid in full.”']);
  expect(find('He said Paid in  full, and', text, '“Paid in full.”')).toEqual(['Paid in  full']);
});

test('the highlight finds the same occurrence of a repeated passage', () => {
  const text = 'Paid in full.\nOwed in part.\nPaid in full.';
  const shown = 'Paid in full. Owed in part. Paid in full.';
  const span = { start: text.lastIndexOf('Paid'), end: text.length };
  expect(findSpans(shown, { text, span })).toEqual([{ start: 28, end: 41 }]);
  expect(find(shown, text, 'Paid in full')).toEqual(['Paid in full']);
});

test('the highlight finds the occurrence of a repeated passage with the same surrounding text, however many are shown', () => {
  const clause = 'The tenant pays within ten days.';
  const text = `4. Repairs. ${clause} 5. Taxes. ${clause} 6. Insurance. ${clause} Signed.`;
  const shown = `Lease ${clause} (header) 4. Repairs. ${clause} 5. Taxes. ${clause} 6. Insurance. ${clause} Signed. ${clause}`;
  const found = [0, 1, 2].map((turn) => {
    let start = -1;
    for (let at = 0; at <= turn; at += 1) start = text.indexOf(clause, start + 1);
    const [span] = findSpans(shown, { text, span: { start, end: start + clause.length } });
    return shown.slice(0, span?.start).split('. ').at(-2)?.split(' ').at(-1);
  });
  expect(found).toEqual(['Repairs', 'Taxes', 'Insurance']);
});

test('the highlight finds a passage in its place although only the end of its text is known', () => {
  const parts = ['one', 'two', 'three', 'four'].map((name) => `Section ${name}. Paid in full. `);
  const known = parts.slice(2).join('');
  const start = known.indexOf('Paid');
  const [span] = findSpans(parts.join(''), { text: known, span: { start, end: start + 12 } });
  expect(parts.join('').slice(0, span?.start)).toMatch(/Section three\. $/);
});

test('the highlight finds each line when a page orders its lines differently', () => {
  const text = 'The first line of it\nand its second line';
  const shown = 'and its second line | The first line of it';
  expect(find(shown, text, text)).toEqual(['and its second line', 'The first line of it']);
});

test('the highlight finds nothing when the passage is missing', () => {
  expect(find('Something else altogether', 'The first line of it', 'first line')).toEqual([]);
  expect(find('', 'The first line', 'first')).toEqual([]);
  expect(find('...', 'a ... b', '...')).toEqual([]);
});

test('the highlight keeps offsets correct after characters outside the basic plane', () => {
  expect(find('𝒜𝒷𝒸 one two', '𝒜𝒷𝒸 one two', 'one')).toEqual(['one']);
});
