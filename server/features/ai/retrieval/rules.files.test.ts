import { expect, test } from 'vitest';
import { type FileMatch, findNamingWords, withRivals } from './rules.files.ts';

const file = (documentId: string, score: number, held: string[]): FileMatch => ({
  documentId,
  score,
  held,
  named: [],
});
const termOf = (word: string) => ({ lexeme: word, weight: 1, asked: [word], isMeant: true });

test('a named file has no rival when the best file alone holds the words of the name', () => {
  const best = file('a', 10, ['birch', 'mount', 'affili']);
  expect(withRivals([best, file('b', 4, ['affili'])])).toEqual([best]);
});

test('a named file has rivals that match nearly as well or hold a word that the best file lacks', () => {
  const files = [
    file('a', 10, ['birch', 'affili']),
    file('b', 9.5, ['birch']),
    file('c', 3, ['affili']),
    file('d', 2, ['jone']),
  ];
  expect(withRivals(files).map(({ documentId }) => documentId)).toEqual(['a', 'b', 'd']);
  expect(withRivals([])).toEqual([]);
});

test('a named file reads a name only where a word is rare among the files', () => {
  const terms = [termOf('birch'), termOf('leas')];
  const names = { names: ['birch', 'leas'] };
  const best = [file('a', 10, ['birch', 'leas'])];
  const matches = { best, files: 10, frequencies: { birch: 1, leas: 9 } };
  expect(findNamingWords(matches, terms, names)).toEqual(new Set(['birch']));
  expect(
    findNamingWords({ ...matches, frequencies: { birch: 8, leas: 9 } }, terms, names),
  ).toBeUndefined();
});
