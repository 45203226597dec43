/**
 * Adapts a sentence from the server to its reader: admins are not referred to their administrator.
 * 'Ask your administrator to upgrade it.' becomes 'Upgrade it.' for admins, and a bare 'Ask your administrator.' is left out.
 */
export function sentenceForReader(sentence: string, isAdmin: boolean): string {
  if (!isAdmin) return sentence;
  return sentence
    .replaceAll(/\bask your administrator to (\w)/gi, (whole, letter: string) =>
      whole.startsWith('A') ? letter.toUpperCase() : letter,
    )
    .replaceAll(/ ?Ask your administrator\.?/g, '');
}
