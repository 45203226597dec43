import { escapeRegExp } from '@matterdesk/contract/search.ts';

interface MarkedProps {
  text: string;
  /** Each is marked wherever it occurs, ignoring case. */
  words: readonly string[];
}

/** A text with the words of a search marked. */
export function Marked({ text, words }: MarkedProps) {
  if (words.length === 0) return text;
  const literals = words.toSorted((a, b) => b.length - a.length).map(escapeRegExp);
  // Every second part is a match.
  const parts = text.split(new RegExp(`(${literals.join('|')})`, 'giu'));
  return parts.map((part, at) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts have no other identity
    at % 2 === 1 ? <mark key={at}>{part}</mark> : part,
  );
}
