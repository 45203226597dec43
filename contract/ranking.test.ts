import { expect, test } from 'vitest';
import { rankItems, rankOf } from './ranking.ts';

const matter = (name: string, number: string, ...others: string[]) => ({
  names: [name, number],
  others,
});

test.each([
  ['reyes v. jansen', 'exact'],
  ['reyes', 'begins'],
  ['2026-cv', 'begins'],
  ['jansen rey', 'words'],
  ['jansen', 'words'],
  ['ansen', 'contains'],
  ['marsh', 'elsewhere'],
  ['reyes marsh', 'elsewhere'],
  ['"v. jan"', 'words'],
  ['nowhere', undefined],
  ['reyes nowhere', undefined],
])('a search for %s ranks a matter as %s', (search, rank) => {
  expect(rankOf(matter('Reyes v. Jansen', '2026-CV-0012', 'Hon. Marsh'), search)).toBe(rank);
});

test('names that begin with the text come before words in a name, and these before other fields', () => {
  const counsel = matter('Adams v. City', '1', 'Reyes & Partners LLP');
  const within = matter('Estate of Reyes', '2');
  const inside = matter('Areyes Holdings', '3');
  const begins = matter('Reyes v. Jansen', '4');
  const number = matter('Boyd v. Boyd', 'REYES-7');
  const all = [counsel, inside, within, begins, number, matter('Cole v. Dunn', '5')];
  expect(rankItems(all, 'reyes', (item) => item)).toEqual([
    begins,
    number,
    within,
    inside,
    counsel,
  ]);
});

test('a word begins after a hyphen or a quotation mark, and not within another word', () => {
  const rank = (name: string) => rankOf({ names: [name] }, 'smith');
  expect(['Lee-Smith', 'Dan “Smith” Lee', 'Goldsmith'].map(rank)).toEqual([
    'words',
    'words',
    'contains',
  ]);
});

test('equally good items keep their order', () => {
  const items = ['Jun Tanaka', 'Jun Aoki', 'Jun Boyd'];
  expect(rankItems(items, 'jun', (name) => ({ names: [name] }))).toEqual(items);
});
