/** Normalizes a text for comparison: NFC, with Unicode case folding (ß = ẞ = SS, Σ = ς). */
export function fold(text: string): string {
  // Lower case first, because ẞ is its own upper case.
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}

/** The words of a search, each of which has to occur; a phrase in double quotes is one word. */
export function searchWords(search: string): string[] {
  const words = [...search.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(
    ([, phrase, word]) => phrase ?? word,
  );
  return [...new Set(words.map((word) => word?.trim() ?? ''))].filter((word) => word !== '');
}

/** Joins the searched fields of a row; the line break keeps a match within a field. */
export function searchText(fields: string[]): string {
  return fields.map(fold).join('\n');
}

/** A LIKE pattern that finds the term literally. */
export function containing(term: string): string {
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
