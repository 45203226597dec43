import { expect, test } from 'vitest';
import {
  confidenceOf,
  fuseRanks,
  leadOf,
  type FileMatch,
  findNamingWords,
  withRivals,
} from './rules.ts';

const perfect = { share: 1, evidence: 1, lead: 1 };

test('the retrieval calls a passage an answer only when share, evidence and lead are high together', () => {
  expect(confidenceOf(perfect)).toBe('answer');
  expect(confidenceOf({ ...perfect, evidence: 0.3 })).toBe('possible');
  expect(confidenceOf({ ...perfect, lead: 0.3 })).toBe('possible');
  expect(confidenceOf({ ...perfect, share: 0.3 })).toBe('possible');
});

test('the retrieval lets rare words make up for a part of a long question', () => {
  expect(confidenceOf({ share: 0.3, evidence: 2, lead: 0.9 })).toBe('answer');
  expect(confidenceOf({ share: 0.1, evidence: 2, lead: 0.9 })).toBe('none');
});

test('the retrieval compares the best passage with the next ones', () => {
  expect(leadOf([2, 4, 2])).toBe(0.5);
  expect(leadOf([3, 3, 3])).toBe(0);
  expect(leadOf([3, 0])).toBe(1);
  const next = Array<number>(8).fill(2);
  expect(leadOf([4, ...next, 0, 0])).toBe(0.5);
});

test('the retrieval has nothing to compare with a single passage, or with none that matches', () => {
  expect(leadOf([3])).toBe(1);
  expect(leadOf([0, 0])).toBe(1);
  expect(leadOf([])).toBe(1);
});

test('fuses rankings by the places in each', () => {
  expect(
    fuseRanks(
      [
        [1, 2, 3],
        [3, 1],
      ],
      2,
    ),
  ).toEqual([1, 3]);
});

const file = (documentId: string, score: number, held: string[]): FileMatch => ({
  documentId,
  score,
  held,
  named: [],
});
const termOf = (word: string) => ({ lexeme: word, weight: 1, asked: [word], isMeant: true });

test('a named file has no rival when only the best file contains the words of the name', () => {
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
