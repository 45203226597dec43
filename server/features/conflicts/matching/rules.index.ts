import { type Name, type Word, relatedNames } from './rules.names.ts';
import { matchWords } from './rules.ts';

/** A word that more rows contain is not searched by itself. */
const RARE = 300;
const GROUPS = 4;
/** Words and tokens of one group at most. */
const MOST_ALTERNATIVES = 400;

/** A word of the dictionary with the number of rows that contain it. */
type Entry = { word: string; n: number };

/** Words for the dictionary: as written, without particles, and with neighbors joined. */
export function dictionaryWords({ words }: Name): string[] {
  const full = words.filter(({ text }) => text.length > 1);
  const found = full.flatMap(({ text, bare }) => (bare === undefined ? [text] : [text, bare]));
  for (const join of joins(words)) found.push(join);
  return [...new Set(found)];
}

/** The first two and the last two words as one: 'homedepot', 'smithjones'. */
function joins(words: Word[]): string[] {
  const [first, second] = words;
  if (!first || !second) return [];
  const last = words.slice(-2).map(({ text }) => text);
  return [first.text + second.text, last.join('')].filter((join) => join.length > 3);
}

/**
 * Tokens of a row: the dictionary's words; `=acme`, a whole name of one word; `j.smith`, a name with an initial;
 * `j,smith`, which such a name may stand for.
 */
export function tokensOf(name: Name): string[] {
  const { words } = name;
  const tokens = new Set(dictionaryWords(name));
  const [only] = words;
  if (words.length === 1 && only) tokens.add(`=${only.text}`);
  if (words.length === 2) tokens.add(`=${words.map(({ text }) => text).join('')}`);
  for (const [initial, mark, word] of initialsOf(words)) tokens.add(`${initial}${mark}${word}`);
  return [...tokens];
}

/** First and last word, in both directions. */
function initialsOf(words: Word[]): [string, '.' | ',', string][] {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || words.length < 2) return [];
  return (
    [
      [first, last],
      [last, first],
    ] as const
  ).flatMap(([short, long]): [string, '.' | ',', string][] =>
    long.text.length === 1
      ? []
      : [[short.text.charAt(0), short.text.length === 1 ? '.' : ',', long.bare ?? long.text]],
  );
}

/** Exact words to look up in the dictionary beside the keys of the name's own. */
export function lookedUp(name: Name): string[] {
  const words = dictionaryWords(name);
  return [...new Set([...words, ...words.flatMap(relatedNames)])];
}

/** Finds rows that contain words of two groups, or any token of `sufficient`. */
type Plan = { groups: string[][]; sufficient: string[] };

/** @param entries of the dictionary, which may be for several names */
export function planSearch(name: Name, entries: Entry[]): Plan {
  const { words } = name;
  const full = words.filter(({ text }) => text.length > 1);
  const byWord = new Map(full.map((word) => [word, alternativesOf(word, entries)]));
  const sufficient = new Set<string>();
  for (const alternatives of byWord.values())
    for (const { word } of alternatives) sufficient.add(`=${word}`);
  for (const join of joins(words)) for (const mark of ['', '=']) sufficient.add(`${mark}${join}`);
  for (const token of initialTokens(words, byWord)) sufficient.add(token);
  if (full.length === 1)
    for (const { word, n } of rareOf(byWord)) if (n < RARE) sufficient.add(word);
  return { groups: groupsOf(full, byWord), sufficient: [...sufficient] };
}

function alternativesOf(word: Word, entries: Entry[]): Entry[] {
  const agreeing = entries.filter(({ word: text }) => agrees(word, text));
  if (!agreeing.some((entry) => entry.word === word.text)) agreeing.push({ word: word.text, n: 0 });
  // Its own spelling and nicknames first, then the rarest.
  agreeing.sort((one, other) => rank(word, one) - rank(word, other) || one.n - other.n);
  return agreeing.slice(0, MOST_ALTERNATIVES);
}

function agrees(word: Word, text: string): boolean {
  const kind = matchWords(word, { text, shown: text });
  return kind !== undefined && kind !== 'initial';
}

function rank(word: Word, { word: text }: Entry): number {
  const kind = matchWords(word, { text, shown: text });
  return kind === 'exact' || kind === 'nickname' ? 0 : 1;
}

function rareOf(byWord: Map<Word, Entry[]>): Entry[] {
  return [...byWord.values()].flat();
}

/** First and last word, and the rarest others. */
function groupsOf(full: Word[], byWord: Map<Word, Entry[]>): string[][] {
  const rowsOf = (word: Word) => (byWord.get(word) ?? []).reduce((total, { n }) => total + n, 0);
  const ends = new Set([full[0], full.at(-1)]);
  const others = full.filter((word) => !ends.has(word)).toSorted((a, b) => rowsOf(a) - rowsOf(b));
  const chosen = [...full.filter((word) => ends.has(word)), ...others].slice(0, GROUPS);
  if (chosen.length < 2) return [];
  return chosen.map((word) => (byWord.get(word) ?? []).map((entry) => entry.word));
}

/** An initial finds full names, and a full name those with an initial. */
function initialTokens(words: Word[], byWord: Map<Word, Entry[]>): string[] {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || words.length < 2) return [];
  const of = (short: Word, long: Word) =>
    (byWord.get(long) ?? []).flatMap(({ word }) =>
      short.text.length === 1
        ? [`${short.text}.${word}`, `${short.text},${word}`]
        : [`${short.text.charAt(0)}.${word}`],
    );
  return [...of(first, last), ...of(last, first)];
}
