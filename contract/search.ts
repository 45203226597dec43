/** The words of a search, all of which must occur; a phrase in double quotes is one word. */
export function searchWords(search: string): string[] {
  const words = [...search.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(
    ([, phrase, word]) => phrase ?? word,
  );
  return [...new Set(words.map((word) => word?.trim() ?? ''))].filter((word) => word !== '');
}

/** A text as a pattern that matches it verbatim. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
