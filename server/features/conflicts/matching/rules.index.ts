import { type Name, type Word, relatedNames } from './rules.names.ts';
import { keysOf } from './rules.spelling.ts';
import { matchWords } from './rules.ts';

/** A word that more rows contain is not searched by itself. */
const MAX_RARE_ROWS = 300;
const MAX_GROUPS = 4;
/** Words and tokens of one group at most. */
const MAX_ALTERNATIVES = 400;

/** A word of the dictionary with the number of rows that contain it. */
type Entry = { word: string; n: number };
/** One that agrees with an asked word: 0 for its own spelling and nicknames, 1 for others. */
type RankedEntry = Entry & { rank: 0 | 1 };

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

/** Words of names, and those of the dictionary that agree with each. */
export class Alternatives {
  readonly #keys = new Set<number>();
  readonly #texts = new Set<string>();
  /** Asked words by each of their keys, and by each exact word that agrees with them. */
  readonly #byKey = new Map<number, Word[]>();
  readonly #byText = new Map<string, Word[]>();
  readonly #found = new Map<string, RankedEntry[]>();
  readonly #best = new Map<string, Entry[]>();

  /** Adds the words of a name. */
  ask(name: Name): void {
    for (const text of dictionaryWords(name)) {
      for (const key of keysOf(text)) this.#keys.add(key);
      for (const exact of [text, ...relatedNames(text)]) this.#texts.add(exact);
    }
    for (const word of name.words) {
      if (word.text.length === 1 || this.#found.has(idOf(word))) continue;
      this.#found.set(idOf(word), []);
      const texts = word.bare === undefined ? [word.text] : [word.text, word.bare];
      for (const key of new Set(texts.flatMap(keysOf))) add(this.#byKey, key, word);
      for (const text of new Set([...texts, ...texts.flatMap(relatedNames)]))
        add(this.#byText, text, word);
    }
  }

  /** Keys and exact words to look up in the dictionary. */
  get asked(): { keys: number[]; words: string[] } {
    return { keys: [...this.#keys], words: [...this.#texts] };
  }

  /** Takes a word that was looked up for the asked ones. */
  offer(entry: Entry): void {
    const alike = keysOf(entry.word).flatMap((key) => this.#byKey.get(key) ?? []);
    for (const word of new Set([...alike, ...(this.#byText.get(entry.word) ?? [])])) {
      const kind = matchWords(word, { text: entry.word, shown: entry.word });
      if (kind === undefined || kind === 'initial') continue;
      const rank = kind === 'exact' || kind === 'nickname' ? 0 : 1;
      this.#found.get(idOf(word))?.push({ ...entry, rank });
    }
  }

  /** All that agree with a word once they are offered: its own spelling and nicknames first, then the rarest. */
  of(word: Word): Entry[] {
    const best = this.#best.get(idOf(word)) ?? bestOf(word, this.#found.get(idOf(word)) ?? []);
    this.#best.set(idOf(word), best);
    return best;
  }
}

function bestOf(word: Word, agreeing: RankedEntry[]): Entry[] {
  const isKnown = agreeing.some((entry) => entry.word === word.text);
  return (isKnown ? agreeing : [...agreeing, { word: word.text, n: 0, rank: 0 }])
    .toSorted((one, other) => one.rank - other.rank || one.n - other.n)
    .slice(0, MAX_ALTERNATIVES);
}

/** Equal for words that agree with the same ones. */
function idOf({ text, bare }: Word): string {
  return bare === undefined ? text : `${text} ${bare}`;
}

function add<Key>(words: Map<Key, Word[]>, key: Key, word: Word): void {
  const known = words.get(key);
  if (known) known.push(word);
  else words.set(key, [word]);
}

/** Finds rows that contain words of two groups, or any token of `sufficient`. */
type Plan = { groups: string[][]; sufficient: string[] };

/** @param alternatives of this name's words, and perhaps of other names' */
export function planSearch({ words }: Name, alternatives: Alternatives): Plan {
  const full = words.filter(({ text }) => text.length > 1);
  const byWord = new Map(full.map((word) => [word, alternatives.of(word)]));
  const sufficient = new Set<string>();
  for (const entries of new Set(byWord.values()))
    for (const { word } of entries) sufficient.add(`=${word}`);
  for (const join of joins(words)) for (const mark of ['', '=']) sufficient.add(`${mark}${join}`);
  for (const token of initialTokens(words, byWord)) sufficient.add(token);
  if (full.length === 1)
    for (const { word, n } of rareOf(byWord)) if (n < MAX_RARE_ROWS) sufficient.add(word);
  return { groups: groupsOf(full, byWord), sufficient: [...sufficient] };
}

function rareOf(byWord: Map<Word, Entry[]>): Entry[] {
  return [...byWord.values()].flat();
}

/** First and last word, and the rarest others. */
function groupsOf(full: Word[], byWord: Map<Word, Entry[]>): string[][] {
  const rowsOf = (word: Word) => (byWord.get(word) ?? []).reduce((total, { n }) => total + n, 0);
  const ends = new Set([full[0], full.at(-1)]);
  const others = full.filter((word) => !ends.has(word)).toSorted((a, b) => rowsOf(a) - rowsOf(b));
  const chosen = [...full.filter((word) => ends.has(word)), ...others].slice(0, MAX_GROUPS);
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
