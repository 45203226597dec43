import { expect, test } from 'vitest';
import { type Card, namesOnCards, withRivals } from './rules.cards.ts';

const card = (documentId: string, score: number, held: string[]): Card => ({
  documentId,
  score,
  held,
  named: [],
});
const termOf = (word: string) => ({ lexeme: word, weight: 1, asked: [word], isMeant: true });

test('has no rival when the best card alone holds the words of the name', () => {
  const best = card('a', 10, ['birch', 'mount', 'affili']);
  expect(withRivals([best, card('b', 4, ['affili'])])).toEqual([best]);
});

test('has rivals that match nearly as well or hold a word that the best card lacks', () => {
  const cards = [
    card('a', 10, ['birch', 'affili']),
    card('b', 9.5, ['birch']),
    card('c', 3, ['affili']),
    card('d', 2, ['jone']),
  ];
  expect(withRivals(cards).map(({ documentId }) => documentId)).toEqual(['a', 'b', 'd']);
  expect(withRivals([])).toEqual([]);
});

test('reads a name only where a word is rare among the files', () => {
  const terms = [termOf('birch'), termOf('leas')];
  const names = { names: ['birch', 'leas'] };
  const best = [card('a', 10, ['birch', 'leas'])];
  const cards = { best, files: 10, frequencies: { birch: 1, leas: 9 } };
  expect(namesOnCards(cards, terms, names)).toEqual(new Set(['birch']));
  expect(
    namesOnCards({ ...cards, frequencies: { birch: 8, leas: 9 } }, terms, names),
  ).toBeUndefined();
});
