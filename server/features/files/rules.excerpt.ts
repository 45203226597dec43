import { searchWords } from '@matterdesk/contract/search.ts';
import { fold } from '../../db/search.ts';

/** UTF-16 units around the found word. */
const BEFORE = 60;
const AFTER = 120;
const BLANKS = /\s+/g;

/**
 * One line of the text around the first word of a search, cut between words, with '…' where it was cut.
 * @param text around the word, which it may lack by a few letters where folding changes lengths
 */
export function excerptOf(text: string, search: string): string {
  const line = text.replaceAll(BLANKS, ' ').trim();
  const folded = fold(line);
  const found = searchWords(search).flatMap((word) => {
    const at = folded.indexOf(fold(word).replaceAll(BLANKS, ' '));
    return at === -1 ? [] : [{ start: at, end: at + word.length }];
  });
  const first = found.toSorted((a, b) => a.start - b.start)[0] ?? { start: 0, end: 0 };
  const start = first.start <= BEFORE ? 0 : line.indexOf(' ', first.start - BEFORE) + 1;
  const last =
    line.length - first.end <= AFTER ? line.length : line.lastIndexOf(' ', first.end + AFTER);
  // A word may be longer than the excerpt.
  const from = Math.min(start, first.start);
  const to = Math.max(last, first.end);
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}
