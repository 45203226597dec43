import * as z from 'zod/mini';
import { folded } from './normalization.ts';
import { searchWords } from './search.ts';

/** `ranked=1`: the best matches of a search first, as one page without a cursor. */
export const rankedQuery = z.optional(z.enum(['0', '1'], { error: 'ranked must be one of 0, 1' }));

/** The texts of an item that a search ranks: names and numbers count more than the others. */
export type RankedTexts = { names: readonly string[]; others?: readonly string[] };

/** Kinds of matches, best first. */
export const ranks = ['exact', 'begins', 'words', 'contains', 'elsewhere'] as const;
export type Rank = (typeof ranks)[number];

/**
 * Ranks an item for a search: a name or number that is the typed text, then one that begins with it, then names with a
 * word that begins with each typed word, then names that contain each, then any other text.
 * @returns undefined if a word occurs nowhere
 */
export function rankOf({ names, others = [] }: RankedTexts, search: string): Rank | undefined {
  const words = searchWords(search).map(foldForRank);
  const typed = foldForRank(search).replaceAll('"', '');
  const named = names.map(foldForRank);
  if (named.includes(typed)) return 'exact';
  if (named.some((name) => name.startsWith(typed))) return 'begins';
  const all = named.join('\n');
  if (words.every((word) => beginsWord(all, word))) return 'words';
  if (words.every((word) => all.includes(word))) return 'contains';
  const whole = [all, ...others.map(foldForRank)].join('\n');
  return words.every((word) => whole.includes(word)) ? 'elsewhere' : undefined;
}

/** The matching items, best first; equally good ones keep their order. */
export function rankItems<T>(
  items: readonly T[],
  search: string,
  textsOf: (item: T) => RankedTexts,
): T[] {
  return items
    .map((item) => ({ item, rank: rankOf(textsOf(item), search) }))
    .flatMap(({ item, rank }) => (rank ? [{ item, place: ranks.indexOf(rank) }] : []))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Whether a word of the text begins with the given one. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{M}\p{N}]$/u.test(text.slice(0, at))) return true;
  return false;
}

function foldForRank(text: string): string {
  return folded(text).trim().replaceAll(/\s+/g, ' ');
}
