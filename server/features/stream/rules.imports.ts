// Texts of imported entries, which may be longer than one entry takes: such a text is cut into numbered entries.

import { createHash } from 'node:crypto';
import { ENTRY_MAX } from '@matterdesk/contract/stream.ts';

/** Characters for the number of a piece, and before a cut, where a line or a word may end. */
const MAX_NUMBER_LENGTH = 30;
const BREAK_WITHIN = 2000;
const NUMBER = /\n\((\d{1,6}) of (\d{1,6})\)$/;

/** The entries of a text: the text itself, or pieces with '(2 of 3)' below each, which together are the text. */
export function piecesOf(text: string): string[] {
  if (text.length <= ENTRY_MAX) return [text];
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = cutAfter(text, start);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces.map((piece, index) => `${piece}\n(${index + 1} of ${pieces.length})`);
}

function cutAfter(text: string, start: number): number {
  const most = start + ENTRY_MAX - MAX_NUMBER_LENGTH;
  if (most >= text.length) return text.length;
  const least = most - BREAK_WITHIN;
  for (const sign of ['\n', ' ']) {
    const found = text.lastIndexOf(sign, most - 1);
    if (found >= least) return found + 1;
  }
  // The two units of one sign stay together.
  return /[\uDC00-\uDFFF]/.test(text.charAt(most)) ? most - 1 : most;
}

/** Pieces of the text that begins with this entry. */
export function countPieces(first: string): number {
  const [, place, count] = NUMBER.exec(first) ?? [];
  return place === '1' ? Number(count) : 1;
}

/** The text of all its entries in order; undefined for what is no whole text. */
export function joinPieces(texts: readonly string[]): string | undefined {
  const [first] = texts;
  if (texts.length === 1) return first;
  const pieces = texts.map((text, index) => {
    const number = `\n(${index + 1} of ${texts.length})`;
    return text.endsWith(number) ? text.slice(0, -number.length) : undefined;
  });
  return pieces.includes(undefined) ? undefined : pieces.join('');
}

/** Id of a later piece, so that the first one leads to it. @param place from 2 */
export function idOfPiece(first: string, place: number): string {
  const hash = createHash('sha256').update(`${first}/${place}`).digest('hex');
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return parts.join('-');
}

/** Ids of all pieces of a text in order. */
export function idsOfPieces(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? first : idOfPiece(first, index + 1),
  );
}

/** The stream shows the newest first: each piece is a millisecond older than the one before it. */
export function timeOfPiece(at: Date, index: number): Date {
  return new Date(at.getTime() - index);
}
