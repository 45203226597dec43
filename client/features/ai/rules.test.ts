import { createParser } from 'eventsource-parser';
import { expect, test } from 'vitest';
import type { Answer, AskEvent } from '@matterdesk/contract/ai.ts';
import {
  type ChatMessage,
  citationName,
  clipQuotation,
  clipboardTextOf,
  splitCitationNumbers,
  splitUnsupported,
  historyOf,
  isAmong,
  scopeOptions,
  readEvent,
  readMessages,
  sentenceOf,
  withinOf,
} from './rules.ts';

const answer: Answer = {
  answer: 'One. Two. Three.',
  citations: [
    {
      n: 1,
      folder: 'Pleadings',
      file_name: 'Answer.pdf',
      page: 7,
      location: null,
      start: 0,
      end: 4,
      quote: 'One.',
      sentence: { start: 0, end: 4 },
    },
  ],
  found: true,
  confidence: 'answer',
  mode: 'extractive',
  notice: null,
  unsupported: [],
};
const time = '2026-03-01T00:00:00.000Z';
const asks = (id: number, message: string): ChatMessage => ({ id, message, time, user: 1 });
const says = (id: number): ChatMessage => ({ id, message: 'One.', time, user: 2, answer });

test('the chat limits the history to the newest twenty answered questions', () => {
  const failed = { ...asks(3, 'lost'), hasFailed: true };
  expect(historyOf([asks(1, 'first'), says(2), failed, asks(4, 'second'), says(5)])).toEqual([
    { question: 'first', answer: 'One.' },
    { question: 'second', answer: 'One.' },
  ]);
  const long = Array.from({ length: 30 }, (_, at) => [asks(2 * at, `${at}`), says(2 * at + 1)]);
  expect(historyOf(long.flat()).map(({ question }) => question)).toHaveLength(20);
  expect(historyOf(long.flat())[0]?.question).toBe('10');
});

test('the chat splits off parts without a source and loses no words', () => {
  const pieces = splitUnsupported({ answer: answer.answer, unsupported: [{ start: 5, end: 9 }] });
  expect(pieces.map(({ text, kind }) => [text, kind])).toEqual([
    ['One. ', 'plain'],
    ['Two.', 'unsupported'],
    [' Three.', 'plain'],
  ]);
  const wrong = [
    { start: 12, end: 900 },
    { start: 4, end: 4 },
    { start: 0, end: 4 },
    { start: 2, end: 6 },
  ];
  const kept = splitUnsupported({ answer: answer.answer, unsupported: wrong });
  expect(kept.map(({ text }) => text).join('')).toBe(answer.answer);
});

test('the chat names a citation by its page, and in a case-wide chat by its file too', () => {
  const [citation] = answer.citations;
  if (!citation) throw new Error('no citation');
  expect(citationName(citation, false)).toBe('Page 7');
  expect(citationName(citation, true)).toBe('Answer.pdf, Page 7');
});

test('the chat copies the text with its source', () => {
  expect(clipboardTextOf(answer)).toBe('“One.” (Pleadings/Answer.pdf, page 7)');
  expect(clipboardTextOf({ ...answer, mode: 'generated' })).toBe(
    'One. Two. Three.\n\n[1] “One.” (Pleadings/Answer.pdf, page 7)',
  );
});

test('discards stored values that are not messages', () => {
  expect(readMessages('nonsense')).toEqual([]);
  const damaged = { ...says(3), answer: { answer: 'no citations' } };
  expect(readMessages([asks(1, 'first'), null, { id: 2 }, damaged, says(4)])).toEqual([
    asks(1, 'first'),
    says(4),
  ]);
});

test('the chat shortens a long quotation around its sentence, at word boundaries', () => {
  const [citation] = answer.citations;
  if (!citation) throw new Error('no citation');
  const quote = `${'before '.repeat(40)}Telling.${' after'.repeat(40)}`;
  const long = { ...citation, quote, start: 1000, end: 1000 + quote.length };
  const sentence = { start: 1280, end: 1288 };
  const short = clipQuotation({ ...long, sentence }, false);
  expect(short).toMatchObject({ marked: 'Telling.', isClipped: true });
  expect(short.before).toMatch(/^…( before)+ $/);
  expect(short.after).toMatch(/^( after)+ …$/);
  const whole = clipQuotation({ ...long, sentence }, true);
  expect(whole.before + whole.marked + whole.after).toBe(quote);
});

test('the chat joins the lines of a paragraph before a name, after a hyphen and between sentences', () => {
  const [citation] = answer.citations;
  if (!citation) throw new Error('no citation');
  const quote = [
    'liability, if any, is limited under the policy issued by Meridian',
    'Mutual, number CA-',
    '4471902, to one million dollars per occurrence for each of the losses.',
    'The premium is due on the first day of each month, as the schedule says.',
    '25. Northline reserves the right to amend.',
  ].join('\n');
  const sentence = { start: 0, end: quote.length };
  const { marked } = clipQuotation(
    { ...citation, quote, start: 0, end: quote.length, sentence },
    true,
  );
  expect(marked.split('\n')).toEqual([
    expect.stringMatching(/Meridian Mutual, number CA-4471902, to .* losses. The premium/),
    '25. Northline reserves the right to amend.',
  ]);
});

test('the chat joins wrapped lines in a quotation, and keeps paragraphs and rows', () => {
  const [citation] = answer.citations;
  if (!citation) throw new Error('no citation');
  const quote = 'It is returned within\nthirty days.\n\nPaid,\nas agreed.\nA-1 Invoice\nA-2 Bill';
  const { marked } = clipQuotation(
    { ...citation, quote, start: 0, end: quote.length, sentence: { start: 0, end: quote.length } },
    true,
  );
  expect(marked).toBe(
    'It is returned within thirty days.\n\nPaid, as agreed.\nA-1 Invoice\nA-2 Bill',
  );
});

test('the chat lets an unanswered question be asked again', () => {
  expect(readMessages([asks(1, 'first'), says(2), asks(3, 'second')]).at(-1)).toEqual({
    ...asks(3, 'second'),
    hasFailed: true,
  });
});

test('the chat splits text at citation numbers, and keeps other numbers as text', () => {
  const pieces = splitCitationNumbers('One [1], two [2].', answer.citations);
  expect(pieces.map(({ text, citation }) => [text, citation?.n])).toEqual([
    ['One ', undefined],
    ['[1]', 1],
    [', two [2].', undefined],
  ]);
});

test('the chat reads only complete events, and ignores unknown ones', () => {
  const events: (AskEvent | undefined)[] = [];
  const parser = createParser({ onEvent: (message) => events.push(readEvent(message)) });
  const delta = (text: string) => `event: delta\ndata: ${JSON.stringify({ text })}\n\n`;
  parser.feed(`${delta('one\n\ntwo')}: a comment\n\nevent: news\ndata: {}\n\n`);
  parser.feed('event: delta\ndata: nonsense\n\nevent: delta\ndata: {"te');
  const first = { event: 'delta', data: { text: 'one\n\ntwo' } };
  expect(events).toEqual([first, undefined, undefined]);
  parser.feed('xt":"x"}\n\n');
  expect(events.at(-1)).toEqual({ event: 'delta', data: { text: 'x' } });
});

test('the chat offers the folders and trained files of a case, and drops deleted ones', () => {
  const places = [{ folder: 'Leases', names: ['a.pdf', 'b.pdf'] }];
  const options = scopeOptions(places);
  expect(options.map(({ label, note }) => [label, note])).toEqual([
    ['Leases', 'Folder, 2 trained files'],
    ['a.pdf', 'Leases'],
    ['b.pdf', 'Leases'],
  ]);
  const chosen = options.map(withinOf);
  expect(chosen).toEqual([
    { folder: 'Leases' },
    { folder: 'Leases', name: 'a.pdf' },
    { folder: 'Leases', name: 'b.pdf' },
  ]);
  expect(chosen.every((within) => isAmong(places, within))).toBe(true);
  expect(isAmong(places, { folder: 'Leases', name: 'c.pdf' })).toBe(false);
  expect(isAmong(places, { folder: 'Gone' })).toBe(false);
});

test('the key sentence of a citation is verbatim, and never outside of its quotation', () => {
  const cited = { quote: 'One. Two.', start: 10 };
  expect(sentenceOf({ ...cited, sentence: { start: 15, end: 19 } })).toBe('Two.');
  expect(sentenceOf({ ...cited, sentence: { start: 15, end: 90 } })).toBe('Two.');
});
