/**
 * A sentence of the server as its reader should see it: who administers the product is not sent to the administrator.
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
