/**
 * Finds words as a user types them: in either case, with any white space between them.
 * @returns the matches in text order
 */
export function findWords(text: string, wanted: string): { start: number; end: number }[] {
  const words = wanted.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const pattern = words
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(String.raw`\s+`);
  return [...text.matchAll(new RegExp(pattern, 'giu'))].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }));
}
