import { doubleMetaphone } from 'double-metaphone';

/** Shorter words are equal or different. */
const MIN_FUZZY_LENGTH = 4;
const MIN_TWO_EDITS_LENGTH = 8;
/** Longer words get keys for one edit only. */
const MAX_TWO_EDITS_LENGTH = 14;
const MAX_PHONETIC_EDITS = 3;

/** Edits after which a word counts as the same: an added, missing or changed letter, or two that are swapped. */
export function editsAllowed(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  if (length < MIN_FUZZY_LENGTH || /\d/.test(one) || /\d/.test(other)) return 0;
  return Math.max(one.length, other.length) >= MIN_TWO_EDITS_LENGTH &&
    length >= MIN_TWO_EDITS_LENGTH - 2
    ? 2
    : 1;
}

/** Optimal string alignment distance, or one more than `most`. */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [previous, before]: [number[], number[]] = [[], []];
  let current = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    [before, previous, current] = [previous, current, [row]];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const cost = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      let best = Math.min(cost, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      if (
        isSwapped(
          one.slice(Math.max(row - 2, 0), row),
          other.slice(Math.max(column - 2, 0), column),
        )
      )
        best = Math.min(best, (before[column - 2] ?? 0) + 1);
      current[column] = best;
    }
    if (Math.min(...current) > most) return most + 1;
  }
  return current[other.length] ?? 0;
}

function isSwapped(one: string, other: string): boolean {
  return one.length === 2 && one[0] === other[1] && one[1] === other[0];
}

/** Whether two words are anagrams by one exchange of neighbors: 'jonh' and 'john'. */
export function isTransposed(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index]);
  if (at === -1) return false;
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2);
  return swapped === other;
}

/** Whether two words sound alike, and are not too far from each other. */
export function soundAlike(one: string, other: string): boolean {
  const codes = soundsOf(one);
  if (codes.length === 0 || !soundsOf(other).some((code) => codes.includes(code))) return false;
  const most = Math.min(MAX_PHONETIC_EDITS, Math.floor(Math.max(one.length, other.length) / 2));
  return distance(one, other, most) <= most;
}

function soundsOf(word: string): string[] {
  return word.length < MIN_FUZZY_LENGTH || /\d/.test(word)
    ? []
    : [...new Set(doubleMetaphone(word))];
}

/** The word, and the word without each letter; for two edits also without each two. */
function deletions(word: string): Set<string> {
  const found = new Set([word]);
  if (word.length < MIN_FUZZY_LENGTH || /\d/.test(word)) return found;
  const shortened = withoutOne(word);
  for (const less of shortened) found.add(less);
  if (word.length >= MIN_TWO_EDITS_LENGTH && word.length <= MAX_TWO_EDITS_LENGTH)
    for (const less of shortened) for (const least of withoutOne(less)) found.add(least);
  return found;
}

function withoutOne(word: string): string[] {
  return Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1));
}

/** Numbers that two words share if they may be spelled or sound alike; others share them by rare chance. */
export function keysOf(word: string): readonly number[] {
  const known = keyCache.get(word);
  if (known) return known;
  if (keyCache.size === MAX_CACHED_WORDS) keyCache.clear();
  const keys = workOutKeys(word);
  keyCache.set(word, keys);
  return keys;
}

/** Words whose keys are cached. A firm's names repeat words, and a long word has hundreds of keys. */
const MAX_CACHED_WORDS = 5000;
const keyCache = new Map<string, readonly number[]>();

function workOutKeys(word: string): number[] {
  const keys = new Set<number>();
  for (const less of deletions(word)) keys.add(hash(less));
  for (const code of soundsOf(word)) keys.add(hash(`~${code}`));
  return [...keys];
}

/** FNV-1a, as a signed number of 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}
