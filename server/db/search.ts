/** The form in which texts are compared: NFC, and case folded in the Unicode sense (ß = ẞ = SS, Σ = ς). */
export function fold(text: string): string {
  // Lower case first, since ẞ has no upper case but itself.
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFC');
}

/** All searched fields of a row; the line break keeps a match inside one field. */
export function searchText(fields: string[]): string {
  return fields.map(fold).join('\n');
}

/** A pattern for LIKE that finds the term literally. */
export function containing(term: string): string {
  return `%${fold(term).replaceAll(/[\\%_]/g, '\\$&')}%`;
}
