import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { extractPages } from './extract.ts';

const DOCUMENTS = path.join(import.meta.dirname, '../../testing/documents');

test.each([
  ['', undefined],
  // Reads no picture here; with a program, pages are begun ahead of their turn.
  [' and reads ahead', process.execPath],
])(
  'the reader keeps the good pages around one that unpacks to gigabytes%s',
  async (_, tesseract) => {
    const bytes = await readFile(path.join(DOCUMENTS, 'bomb.pdf'));
    const open = async () => Readable.from([bytes]);
    const { signal } = new AbortController();
    const asked = { kind: 'pdf', size: bytes.length, open, from: 1, signal, tesseract } as const;
    const events = await Array.fromAsync(extractPages(asked));
    const pages = events.flatMap((event) => (event.type === 'page' ? [event.page] : []));
    const notes = events.flatMap((event) => (event.type === 'note' ? [event.text] : []));
    expect(pages.map((page) => page.text.trim())).toEqual([
      'The first page can be read well.',
      '',
      'The third page can be read as well.',
    ]);
    expect(notes).toEqual(['Page 2 could not be read.']);
  },
  600_000,
);
