import fc from 'fast-check';
import { expect, test } from 'vitest';
import { different, pairsOf, same } from '../../../testing/name-pairs.ts';
import { Alternatives, dictionaryWords, planSearch, tokensOf } from './rules.index.ts';
import { parseName } from './rules.names.ts';
import { distance, keysOf } from './rules.spelling.ts';
import { explain, compareNames } from './rules.ts';

function compare(asked: string, found: string) {
  const names = { asked: parseName(asked), found: parseName(found) };
  const match = compareNames(names.asked, names.found);
  return match && { ...match, reason: explain(match, names) };
}

/** Whether a row is found through the dictionary, as the database finds it. */
function isFound(asked: string, found: string): boolean {
  const [name, row] = [parseName(asked), parseName(found)];
  const alternatives = new Alternatives();
  alternatives.ask(name);
  const keys = new Set(alternatives.asked.keys);
  const words = new Set(alternatives.asked.words);
  for (const word of dictionaryWords(row))
    if (words.has(word) || keysOf(word).some((key) => keys.has(key)))
      alternatives.offer({ word, n: 1 });
  const { groups, sufficient } = planSearch(name, alternatives);
  const tokens = tokensOf(row);
  const held = groups.filter((group) => group.some((word) => tokens.includes(word)));
  return held.length >= 2 || sufficient.some((token) => tokens.includes(token));
}

test.each([
  ['Bob Fernandez', 'Robert Fernández', 'nickname', "'Bob' is short for 'Robert'"],
  ['Smith, John Q.', 'John Smith', 'exact', 'the order of the words does not count'],
  ['Acme L.L.C.', 'ACME, Inc.', 'exact', 'the legal form does not count'],
  ['Иванов', 'Ivanov', 'exact', 'the script does not count'],
  ['Jonh Kim', 'John Kim', 'fuzzy', "'Jonh' is spelled almost like 'John'"],
  ['Meyer', 'Maier', 'phonetic', "'Meyer' sounds like 'Maier'"],
  ['Bob Fernandez', 'Rob Fernandez', 'nickname', "'Bob' and 'Rob' are both short for 'Robert'"],
  ['J. Smith', 'John Smith', 'partial', "'J.' may stand for 'John'"],
  ['Calloway', 'Calloway Foods', 'partial', "'Calloway' is part of 'Calloway Foods'"],
])('the matching finds %s in %s by %s and says why', (asked, found, match, reason) => {
  expect(compare(asked, found)).toMatchObject({
    match,
    reason: expect.stringContaining(reason) as string,
  });
});

test('the matching finds a name that ends the longest name of a file', () => {
  const name = 'Robert Fernandez';
  const before = 'note about the '.repeat(20);
  const file = `${before.slice(0, 254 - name.length)} ${name}`;
  expect(compare(name, file)).toMatchObject({ match: 'partial' });
  expect(isFound(name, file)).toBe(true);
});

test('the matching takes each of some 200 pairs for the same name, either way round, and finds it in the index', () => {
  const pairs = pairsOf(same).flatMap(([one, other]) => [
    [one, other] as const,
    [other, one] as const,
  ]);
  expect(pairs.length).toBeGreaterThan(400);
  expect(pairs.filter((pair) => !compare(...pair)?.isWhole)).toEqual([]);
  expect(pairs.filter((pair) => !isFound(...pair))).toEqual([]);
});

test('the matching takes each of some 200 pairs for different names, either way round', () => {
  const pairs = pairsOf(different).flatMap(([one, other]) => [
    [one, other] as const,
    [other, one] as const,
  ]);
  expect(pairs.length).toBeGreaterThan(380);
  expect(pairs.filter((pair) => compare(...pair) !== undefined)).toEqual([]);
});

const letters = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefgh')),
  minLength: 4,
  maxLength: 7,
});

test('the matching finds every word that is one edit away by a shared key', () => {
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      const isNear = distance(one, other, 1) <= 1;
      const keys = new Set(keysOf(one));
      return !isNear || keysOf(other).some((key) => keys.has(key));
    }),
  );
});

test('the matching matches every name with itself, whatever is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (written) => {
      const name = parseName(written);
      const match = compareNames(name, name);
      return (
        name.words.length === 0 ||
        match?.isWhole === true ||
        name.words.every(({ text }) => text.length === 1)
      );
    }),
  );
});
