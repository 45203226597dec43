import { describe, expect, test } from 'vitest';
import { ENTRY_MAX } from '@matterdesk/contract/stream.ts';
import { countPieces, idOfPiece, idsOfPieces, joinPieces, piecesOf } from './rules.imports.ts';

describe('a text of an import', () => {
  test('stays one entry up to the length of an entry', () => {
    const text = 'x'.repeat(ENTRY_MAX);
    expect(piecesOf(text)).toEqual([text]);
    expect(countPieces(text)).toBe(1);
    expect(joinPieces([text])).toBe(text);
  });

  test('is cut at lines and words, and its numbered pieces are the whole text', () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `Line ${n} of a long letter`).join('\n');
    const pieces = piecesOf(lines);
    expect(pieces.length).toBe(5);
    expect(countPieces(pieces[0] ?? '')).toBe(5);
    expect(pieces.every((piece) => piece.length <= ENTRY_MAX)).toBe(true);
    expect(pieces[1]).toMatch(/^Line \d+ of a long letter\n[^]*letter\n\n\(2 of 5\)$/);
    expect(joinPieces(pieces)).toBe(lines);
  });

  test('never parts the two units of one sign', () => {
    const text = `a${'😀'.repeat(30_000)}`;
    const pieces = piecesOf(text);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(joinPieces(pieces)).toBe(text);
  });

  test('is not whole once a piece lacks its number', () => {
    const pieces = piecesOf('word '.repeat(10_000));
    expect(joinPieces([...pieces.slice(0, -1), 'Something else'])).toBeUndefined();
  });

  test('leads from its first piece to the others', () => {
    const first = '0c7a2f9e-3f9c-4a53-9d0a-5d1f5c2f7a11';
    expect(idsOfPieces(first, 3)).toEqual([first, idOfPiece(first, 2), idOfPiece(first, 3)]);
    expect(idOfPiece(first, 2)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-/);
    expect(idOfPiece(first, 2)).not.toBe(idOfPiece(first, 3));
  });
});
