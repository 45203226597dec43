import { expect, test } from 'vitest';
import { bestSentence, splitSentences } from './rules.sentences.ts';

const split = (text: string) =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

test.each([
  ['The rent is due. The deposit is not.', ['The rent is due.', 'The deposit is not.']],
  [
    'Acme Inc. shall pay J. Doe a fee.\nIt is due in\nMay.',
    ['Acme Inc. shall pay J. Doe a fee.', 'It is due in\nMay.'],
  ],
  [
    '4. Governing Law. This lease is governed by the laws of Oregon.',
    ['4. Governing Law. This lease is governed by the laws of Oregon.'],
  ],
  ['See Section 2.1. of the plan. Then pay.', ['See Section 2.1. of the plan.', 'Then pay.']],
  ['one paragraph\n\nanother one', ['one paragraph', 'another one']],
  ['', []],
])('the splitter splits %j', (text, sentences) => {
  expect(split(text)).toEqual(sentences);
});

test('the splitter chooses the shorter of two sentences with the same words', () => {
  const spans = [
    { start: 0, end: 400 },
    { start: 400, end: 460 },
  ];
  const found = [[{ weight: 2 }], [{ weight: 2 }]];
  expect(bestSentence(spans, found)).toEqual(spans[1]);
  expect(bestSentence([], [])).toBeUndefined();
});
