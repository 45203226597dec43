import { expect, test } from 'vitest';
import { answerForm, bestSentence, splitSentences } from './rules.ts';

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
  [
    'POLICE REPORT\nDate of the collision: 2025-11-23\nPlace: Main Street at\nFifth Avenue\nNo one was hurt. The road was wet.',
    [
      'POLICE REPORT',
      'Date of the collision: 2025-11-23',
      'Place: Main Street at',
      'Fifth Avenue\nNo one was hurt.',
      'The road was wet.',
    ],
  ],
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

test.each([
  ['When did the accident happen?', 'Date of the collision: 2025-11-23', true],
  ['When did the accident happen?', 'The collision was on March 3, 2024.', true],
  ['When did the accident happen?', 'The other driver caused the collision.', false],
  ['How much is the rent?', 'The rent is $1,450.00.', true],
  ['How long does the lease run?', 'It runs for three years.', true],
])('the form of an answer to "%s" is in "%s": %s', (question, sentence, isForm) => {
  expect(answerForm(question)?.test(sentence)).toBe(isForm);
});

test('a question without a form of answer has none', () => {
  expect(answerForm('Who insures the goods?')).toBeUndefined();
});
