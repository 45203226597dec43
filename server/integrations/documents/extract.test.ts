import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { textPdf, repeatedScan } from '../../testing/papers.ts';
import {
  usualLimits,
  dividePagesConfined,
  extractPages,
  type ExtractedPage,
  type Extraction,
  WorkLimitReached,
} from './extract.ts';
import { hasPages, kindOfDocument, type DocumentKind } from './kinds.ts';
import { type Page, type Passage, reasons } from './messages.ts';

const DOCUMENTS = path.join(import.meta.dirname, '../../testing/documents');
const SLOW = 90_000;

type Read = { pages: Page[]; notes: string[]; text: string };

type Wish = Partial<Pick<Extraction, 'from' | 'limits'>>;

async function read(kind: DocumentKind, bytes: Buffer, wish: Wish = {}): Promise<Read> {
  const seen: ExtractedPage[] = [];
  const { signal } = new AbortController();
  const open = async () => Readable.from([bytes]);
  for await (const event of extractPages({
    kind,
    size: bytes.length,
    open,
    from: 1,
    signal,
    ...wish,
  }))
    seen.push(event);
  const pages = seen.flatMap((event) => (event.type === 'page' ? [event.page] : []));
  const notes = seen.flatMap((event) => (event.type === 'note' ? [event.text] : []));
  return { pages, notes, text: pages.map((page) => page.text).join('') };
}

async function readFixture(name: string): Promise<Read> {
  return read(kindOfDocument(name, ''), await readFile(path.join(DOCUMENTS, name)));
}

async function divide(name: string): Promise<Passage[]> {
  const { pages } = await readFixture(name);
  const { signal } = new AbortController();
  return Array.fromAsync(dividePagesConfined(kindOfDocument(name, ''), pagesOf(pages), signal));
}

async function* pagesOf(pages: Page[]) {
  yield* pages;
}

const find = (passages: Passage[], words: string) =>
  passages.find((passage) => passage.text.replaceAll(/\s+/g, ' ').includes(words));

const DEPOSIT = 'The Tenant has paid a security deposit of $12,900.00';
const GOVERNED = 'governed by the laws of the State of Oregon';

describe('document formats', () => {
  it.each([
    ['lease.docx', '3.1 Security deposit › paragraph 1'],
    ['lease.odt', '3.1 Security deposit › paragraph 1'],
    ['lease.rtf', '3.1 Security deposit › paragraph 1'],
    ['lease.pdf', null],
  ])('splits %s into passages with headings and locations', async (name, location) => {
    const passages = await divide(name);
    const deposit = find(passages, DEPOSIT);
    expect(find(passages, GOVERNED)?.heading).toMatch(/5\. Governing Law$/);
    expect(deposit?.heading).toMatch(/3\. Rent › 3\.1 Security deposit$/);
    expect(deposit?.location).toBe(location);
  });

  it.each(['exhibits.xlsx', 'exhibits.xls'])('reads the rows of %s as displayed', async (name) => {
    const { text, pages } = await readFixture(name);
    expect(text).toContain('A-2\tEmergency room statement\t2024-11-03\t12310.55');
    expect(pages[0]?.marks.at(-1)?.location).toBe('Sheet 1, row 4');
  });

  it('reads HTML by its declared charset, with its headings', async () => {
    const html = `<html><head><meta charset="windows-1252"><style>p{}</style></head><body><h2>Fees</h2>
      <p>The fee is 500 \u20ac.</p><script>alert(1)</script></body></html>`;
    const { text, pages } = await read('html', iconv.encode(html, 'windows-1252'));
    expect(text.trim()).toBe('Fees\n\nThe fee is 500 €.');
    expect(pages[0]?.marks).toEqual([
      { at: 0, level: 2, location: 'Fees' },
      { at: 6, location: 'Fees › paragraph 1' },
    ]);
  });

  it('reads a mail, its attachments and the mail inside, and reports what it skipped', async () => {
    const { text, notes } = await readFixture('nested.eml');
    expect(text).toContain('From: José Müller <jose@firm.example>');
    expect(text).toContain('He will repair the roof at his own cost');
    expect(text.indexOf(GOVERNED)).toBeGreaterThan(text.indexOf('He will repair'));
    expect(text).toContain('We demand payment of $84,300');
    expect(text).toContain('Ambulance invoice');
    expect(notes.join(' ')).toContain('locked.pdf was left out: The file is password-protected');
  });

  it('reads an Outlook mail with its attachment', async () => {
    const { text } = await readFixture('offer.msg');
    expect(text).toContain('my client offers $42,000 in full settlement');
    expect(text).toContain(GOVERNED);
    expect(text).not.toContain('rtf1');
  });

  it.each([
    [
      'windows-1252',
      'Die Gebühr beträgt 500 €. Der Mieter trägt sie für jede verspätete Zahlung, “sofort” fällig.',
    ],
    ['utf-16le', 'Miete – 500 €'],
    ['utf-16be', 'Miete – 500 €'],
    ['Shift_JIS', '賃貸借契約書。賃料は毎月末日までに支払うものとする。本契約は日本法に準拠する。'],
    ['utf-8', 'Miete – 500 € 契約'],
  ])('reads text in %s', async (encoding, text) => {
    const addBOM = encoding.startsWith('utf-16');
    const { text: got } = await read('text', iconv.encode(text, encoding, { addBOM }));
    expect(got.trim()).toBe(text);
  });

  it('cuts long pageless text every 100,000 units, but never inside a character', async () => {
    const { pages } = await read('text', Buffer.from(`a${'😀'.repeat(120_000)}`));
    expect(pages.map((page) => page.text.length)).toEqual([99_999, 100_000, 40_004]);
    expect(pages.every((page) => page.text.isWellFormed())).toBe(true);
  });

  it('reads a printed web page by page and drops its running lines from the passages', async () => {
    const { pages } = await readFixture('chromium-print.pdf');
    expect(pages).toHaveLength(6);
    const passages = await divide('chromium-print.pdf');
    expect(find(passages, 'ninety days written notice')).toMatchObject({
      heading: '2. Termination for Convenience',
      page: 2,
    });
    expect(passages.some((passage) => passage.heading.includes('CONFIDENTIAL'))).toBe(false);
    expect(passages.every((passage) => passage.end - passage.start <= 1200)).toBe(true);
  });
});

describe('images', () => {
  it(
    'are read with OCR in a scanned PDF page, while other pages keep their text',
    async () => {
      const { pages } = await readFixture('scan.pdf');
      expect(pages.map((page) => page.isScanned)).toEqual([false, true]);
      expect(pages[0]?.text).toContain('2,150 square feet');
      expect(pages[1]?.text).toContain('Sanctions in the amount of $1,750');
    },
    SLOW,
  );

  it(
    'are read on each page of a fax, from the requested page on',
    async () => {
      const bytes = await readFile(path.join(DOCUMENTS, 'fax.tif'));
      const { pages } = await read('tiff', bytes, { from: 2 });
      expect(pages.map((page) => page.page)).toEqual([2]);
      expect(pages[0]?.text.replaceAll(/\s+/g, ' ')).toContain('Harbour Point Holdings');
    },
    SLOW,
  );

  it(
    'are read in a photograph',
    async () => {
      const { text } = await readFixture('order.jpg');
      expect(text).toContain('on or before June 14, 2025');
    },
    SLOW,
  );
});

describe('unreadable files', () => {
  it.each([
    ['locked.pdf', 'password-protected'],
    ['locked.docx', 'password-protected'],
    ['cut-off.pdf', 'damaged or isn’t a PDF'],
  ])('are explained: %s', async (name, reason) => {
    await expect(readFixture(name)).rejects.toThrow(reason);
  });

  it.each(['pdf', 'word', 'sheet', 'eml', 'msg', 'tiff', 'image'] as const)(
    'are reported when they are misnamed as %s',
    async (kind) => {
      const noise = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 251));
      await expect(read(kind, noise)).rejects.toThrow(/damaged or isn’t/);
    },
  );

  it.each([
    ['longer', { ...usualLimits, silence: 50 }, reasons.tooLong],
    ['with more memory', { ...usualLimits, memory: 20 }, reasons.tooMuch],
    ['more work', { ...usualLimits, silence: 1000, work: 50 }, 'Reading stopped'],
  ])('are abandoned when they take %s than allowed', async (_how, limits, reason) => {
    const bytes = await readFile(path.join(DOCUMENTS, 'order.jpg'));
    await expect(read('image', bytes, { limits })).rejects.toThrow(reason);
  });

  it(
    'keep what was read of one picture on 5,000 pages when their work is used up',
    async () => {
      const bytes = await repeatedScan(5000, ['The tenant owes nine hundred dollars.']);
      expect(bytes.length).toBeLessThan(1_000_000);
      const seen: ExtractedPage[] = [];
      const { signal } = new AbortController();
      const open = async () => Readable.from([bytes]);
      const limits = { ...usualLimits, silence: 10_000, work: 6000 };
      const source = { kind: 'pdf', size: bytes.length, open, from: 1, signal, limits } as const;
      const reading = async () => {
        for await (const event of extractPages(source)) seen.push(event);
      };
      await expect(reading()).rejects.toBeInstanceOf(WorkLimitReached);
      const pages = seen.flatMap((event) => (event.type === 'page' ? [event.page] : []));
      expect(pages[0]?.text).toContain('nine hundred dollars');
      expect(pages.length).toBeLessThan(5000);
    },
    SLOW,
  );

  it('are refused when an office file’s directory claims gigabytes', async () => {
    await expect(read('word', zipThatClaims(3_000_000_000))).rejects.toThrow(
      'far more than its size',
    );
  });

  it(
    'cause no slowdown when nested a hundred thousand deep',
    async () => {
      const html = Buffer.from(`${'<div>'.repeat(100_000)}the words inside`);
      await expect(read('html', html)).resolves.toHaveProperty('notes', []);
    },
    SLOW,
  );
});

it('the reader drops NUL and keeps offsets correct', async () => {
  const { pages } = await read('text', Buffer.from('one\0two\n\nthree'));
  expect(pages[0]?.text).toBe('onetwo\n\nthree\n\n');
  expect(hasPages('text')).toBe(false);
});

it('the reader reads a simple PDF line by line', async () => {
  const { pages } = await read('pdf', textPdf([['The first line.', 'The second (last) line.']]));
  expect(pages[0]?.text).toBe('The first line.\nThe second (last) line.');
});

/** One entry whose directory claims that size. */
function zipThatClaims(size: number): Buffer {
  const name = Buffer.from('word/document.xml');
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  name.copy(local, 30);
  const entry = Buffer.alloc(46 + name.length);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(1, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  name.copy(entry, 46);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length + 1, 16);
  return Buffer.concat([local, Buffer.alloc(1), entry, end]);
}
