import { expect, test } from 'vitest';
import { hintsFor, parseVocabulary, vocabulary } from './rules.words.ts';

const text = `# A comment
[stop words]
the of
and

[asking words]
clause
[front page]
\\btitle\\b
[answered in other words]
# Another
fire|burn => casualty destroyed
`;

test('the vocabulary reads each section, without comments and empty lines', () => {
  expect(parseVocabulary(text)).toEqual({
    stop: new Set(['the', 'of', 'and']),
    asking: new Set(['clause']),
    frontPage: [/\btitle\b/i],
    hints: [{ speaksOf: /\b(?:fire|burn)/, words: ['casualty', 'destroyed'] }],
  });
});

test.each([
  ['a line without an arrow', text.replace(' =>', ''), /not fire\|burn casualty/],
  ['a line without words', text.replace('casualty destroyed', ''), /not fire\|burn =>/],
  ['a line with two arrows', text.replace('casualty', 'casualty =>'), /not fire\|burn => casualty/],
  ['a pattern that is broken', text.replace('fire|', '(fire|'), /regular expression/],
  ['a missing section', text.replace('[front page]', ''), /no section \[front page\]/],
])('the vocabulary refuses %s', (_, broken, message) => {
  expect(() => parseVocabulary(broken)).toThrow(message);
});

test('the vocabulary lists each word once, in the form of words of a question', () => {
  const { stop, asking, hints } = vocabulary;
  for (const word of [...stop, ...asking]) expect(word).toMatch(/^[a-z']+$/);
  expect([...asking].filter((word) => stop.has(word))).toEqual([]);
  for (const { words } of hints) {
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(word).toMatch(/^[A-Za-z]+$/);
  }
});

test('the vocabulary does not have a pattern that matches every question', () => {
  expect(hintsFor('')).toEqual([]);
  expect(hintsFor('xyz')).toEqual([]);
  expect(vocabulary.frontPage.some((pattern) => pattern.test('xyz'))).toBe(false);
});
