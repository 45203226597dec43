import { sql, type RawBuilder } from 'kysely';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { searchWords } from '@matterdesk/contract/search.ts';

/** Most texts are of ASCII alone, which every normal form leaves as it is. */
const BEYOND_ASCII = /\P{ASCII}/u;

/** Normalizes a text for comparison: NFC, with Unicode case folding (ß = ẞ = SS, Σ = ς). */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  // Lower case first, because ẞ is its own upper case.
  const folded = normalized(text).toLowerCase().toUpperCase().toLowerCase();
  return normalized(folded.replaceAll('ς', 'σ'));
}

/** Equal for names that count as the same. */
export function nameKey(name: string): string {
  const bare = normalized(name, 'NFD').replaceAll(/\p{M}/gu, '');
  return fold(bare).replaceAll(/\s+/g, ' ').trim();
}

/** Joins the searched fields of a row; the line break keeps a match within a field. */
export function searchText(fields: string[]): string {
  return fields.map(fold).join('\n');
}

type Condition = RawBuilder<boolean>;

/** That a condition holds for every word of a search. */
export function everyWord(search: string, condition: (word: string) => Condition): Condition {
  const words = searchWords(search);
  return words.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(words.map(condition), sql` and `)})`;
}

/** That a text has every word of a search, by an index on trigrams, or by one on bigrams if all words are short. */
export function everyWordIndexed(search: string, text: RawBuilder<string>): Condition {
  const words = searchWords(search);
  const hasLong = words.some((word) => bigramQuery(word) === undefined);
  return everyWord(search, (word) => {
    const bigrams = bigramQuery(word);
    const rare = rarePart(word);
    if (rare !== undefined)
      return sql<boolean>`(${text} like ${likePattern(rare)} and strpos(${text}, ${fold(word)}) > 0)`;
    if (bigrams === undefined) return sql<boolean>`${text} like ${likePattern(word)}`;
    if (hasLong) return sql<boolean>`strpos(${text}, ${fold(word)}) > 0`;
    return sql<boolean>`bigrams(${text}) @@ ${bigrams}::tsquery`;
  });
}

/** Characters before the @ that are a name, unlike `info` and `office`. */
const LOCAL_PART = 7;

/**
 * The part of a docket number or of an email address that few matters share: nearly every one has the trigrams of a
 * year, a kind of case or a provider, so that the index would read most of itself for them and find no fewer matters.
 */
function rarePart(word: string): string | undefined {
  const at = word.lastIndexOf('@');
  if (at >= LOCAL_PART) return word.slice(0, at);
  const pieces = word.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece !== '');
  if (pieces.length < 2) return undefined;
  return pieces.find((piece) => /^\d{4,}$/.test(piece) && !/^(?:19|20)\d\d$/.test(piece));
}

/** That every word of a search occurs in a folded text. */
export function holdsWords(search: string, text: RawBuilder<string>): Condition {
  return everyWord(search, (word) => sql<boolean>`${text} like ${likePattern(word)}`);
}

/** Letters that folding changes beyond lower case, and marks that may not be composed; few texts have any. */
const BEYOND_LOWER_CASE = String.raw`[µßİıŉſςϐϑϕϖϰϱϵև\u1C80-\u1C88ẚ-ẞ\u1F80-\u1FFCﬀ-ﬗ\u0300-\u036F]`;

/**
 * That a text which no column has folded contains a word. To fold as `fold` takes ten times as long as lower case, and most
 * texts are of ASCII alone.
 */
export function holdsWord(text: RawBuilder<unknown>, word: string): Condition {
  return sql<boolean>`(
    select strpos(case when octet_length(line) <> char_length(line) and line ~ ${BEYOND_LOWER_CASE} then normalize(replace(lower(upper(lower(
      normalize(line, NFC) collate "und-x-icu"))), 'ς', 'σ'), NFC) else lower(line) end, ${fold(word)}) > 0
    from (select ${text} as line offset 0) written)`;
}

/** A LIKE pattern that finds the term literally. */
export function likePattern(term: string): string {
  return `%${fold(term).replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** A tsquery over `bigrams(search_text)` for terms of one or two characters, which trigrams cannot find. */
export function bigramQuery(term: string): string | undefined {
  const letters = [...fold(term)];
  if (letters.length > 2) return undefined;
  const quoted = `'${letters.join('').replaceAll(/['\\]/g, '$&$&')}'`;
  return letters.length === 1 ? `${quoted}:*` : quoted;
}

/** Digits as a phone would dial them, with the country code; ten digits without a plus are a US number. */
export function phoneDigits(written: string): string {
  const [bare = ''] = written
    .trim()
    .replace('(0)', '')
    .split(/x|ext|#/i, 1);
  const digits = bare.replaceAll(/\D/g, '');
  if (bare.startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (digits.startsWith('011')) return digits.slice(3);
  return digits.length === 10 ? `1${digits}` : digits;
}

/** That a text in bytewise order begins with a folded text; a range, which an index finds. */
export function beginsWith(key: RawBuilder<string>, folded: string): Condition {
  return sql<boolean>`(${key} >= ${folded} and ${key} < ${folded + LAST_SIGN})`;
}
/** After every character that a text may go on with. */
const LAST_SIGN = '\u{10FFFF}';

/** That each word of a search begins a word of a folded text; undefined where no word is long enough for trigrams. */
export function beginsWords(search: string, text: RawBuilder<string>): Condition | undefined {
  const isLong = searchWords(search).some((word) => bigramQuery(word) === undefined);
  if (!isLong) return undefined;
  return everyWord(search, (word) => {
    const start = /^[\p{L}\p{N}]/u.test(word) ? String.raw`\m` : '';
    const literal = fold(word).replaceAll(/[^\p{L}\p{M}\p{N}\s]/gu, String.raw`\$&`);
    return sql<boolean>`(${text} like ${likePattern(word)} and ${text} ~ ${start + literal})`;
  });
}
