import { Readable } from 'node:stream';
import type Mail from 'nodemailer/lib/mailer/index.js';
import { describe, expect, it } from 'vitest';
import { composeMail } from '../../testing/compose-mail.ts';
import { longContract } from '../../testing/papers.ts';
import { readDocument } from '../../testing/training.ts';
import { dividePagesConfined, extractPages } from './extract.ts';
import type { Page, Passage } from './messages.ts';

const SLOW = 120_000;
const ORDER = 'on or before June 14, 2025';

type Read = { text: string; notes: string[]; passages: Passage[] };

/** Text of a message with these attachments. */
async function readMail(mail: Mail.Options): Promise<Read> {
  const head = { from: 'jo@firm.example', to: 'al@client.example', subject: 'About the flat' };
  const bytes = await composeMail({ ...head, text: 'See the files.', ...mail });
  const { signal } = new AbortController();
  const open = async () => Readable.from([bytes]);
  const source = { kind: 'eml', size: bytes.length, open, from: 1, signal } as const;
  const pages: Page[] = [];
  const notes: string[] = [];
  for await (const event of extractPages(source)) {
    if (event.type === 'page') pages.push(event.page);
    if (event.type === 'note') notes.push(event.text);
  }
  const passages = await Array.fromAsync(dividePagesConfined('eml', pagesOf(pages), signal));
  return { text: pages.map((page) => page.text).join(''), notes, passages };
}

async function* pagesOf(pages: Page[]) {
  yield* pages;
}

const attached = async (...names: string[]) =>
  Promise.all(names.map(async (filename) => ({ filename, content: await readDocument(filename) })));

/** Location of the passage with these words. */
const placeOf = ({ passages }: Read, words: string) =>
  passages.find((passage) => passage.text.replaceAll(/\s+/g, ' ').includes(words));

describe('attachments of a mail', () => {
  it.each([
    ['lease.docx', 'security deposit of $12,900.00', '3.1 Security deposit › paragraph 1'],
    ['lease.odt', 'security deposit of $12,900.00', '3.1 Security deposit › paragraph 1'],
    ['lease.rtf', 'security deposit of $12,900.00', '3.1 Security deposit › paragraph 1'],
    ['exhibits.xlsx', 'Emergency room statement', 'Sheet 1, row 2'],
    ['exhibits.xls', 'Emergency room statement', 'Sheet 1, row 2'],
    ['offer.msg', 'my client offers $42,000', 'Message'],
  ])('are read like the file alone: %s', async (name, words, place) => {
    const found = placeOf(await readMail({ attachments: await attached(name) }), words);
    expect(found?.location).toMatch(new RegExp(`^${RegExp.escape(name)} › `));
    expect(found?.location).toContain(place.split(' › ').at(-1));
    expect(found?.heading).toMatch(new RegExp(`^Attachment: ${RegExp.escape(name)}`));
  });

  it('are located by the page of a PDF', async () => {
    const content = longContract(3);
    const mail = await readMail({ attachments: [{ filename: 'long.pdf', content }] });
    expect(placeOf(mail, 'perform obligation 60 in time')?.location).toBe('long.pdf, page 2');
    const lease = await readMail({ attachments: await attached('lease.pdf') });
    expect(placeOf(lease, 'security deposit')?.location).toMatch(/^lease\.pdf, page \d$/);
  });

  it('are detected by their bytes where name and declared type are wrong', async () => {
    const mail = await readMail({
      attachments: [
        { filename: 'scan', content: await readDocument('lease.docx') },
        {
          filename: 'letter.txt',
          content: await readDocument('lease.rtf'),
          contentType: 'text/plain',
        },
        { filename: 'page.html', content: '<h1>Fees</h1><p>The fee is 500.</p>' },
        { filename: 'notes', content: 'The notes say so.', contentType: 'text/plain' },
        { filename: 'letter.docx', content: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]) },
      ],
    });
    expect(placeOf(mail, 'security deposit')?.location).toMatch(/^scan › /);
    expect(mail.text).not.toContain(String.raw`\rtf1`);
    expect(placeOf(mail, 'The fee is 500')?.location).toBe('page.html › Fees › paragraph 1');
    expect(placeOf(mail, 'The notes say so')?.location).toMatch(/^notes › /);
    expect(mail.notes).toEqual([
      'The attachment letter.docx was left out: No readable text in this file type.',
    ]);
  });

  it(
    'are read with OCR when they are images, attached or inline',
    async () => {
      const [order] = await attached('order.jpg');
      const [fax] = await attached('fax.tif');
      const mail = await readMail({
        html: '<p>The order is this: <img src="cid:one"> and more.</p>',
        attachments: [
          { ...order, filename: 'pasted.jpg', cid: 'one' },
          { ...fax, filename: 'fax.tif' },
        ],
      });
      expect(placeOf(mail, ORDER)?.location).toBe('pasted.jpg, page 1');
      expect(placeOf(mail, 'Harbour Point Holdings')?.location).toMatch(/^fax\.tif, page \d$/);
      expect(mail.notes).toEqual([]);
    },
    SLOW,
  );

  it('are skipped silently when they only decorate the mail', async () => {
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const mail = await readMail({
      html: '<p>Regards <img src="cid:logo"></p>',
      attachments: [{ filename: 'logo.png', content: Buffer.from(dot, 'base64'), cid: 'logo' }],
    });
    expect(mail.text).not.toContain('logo.png');
    expect(mail.notes).toEqual([]);
  });

  it('keep all of a paragraph that is longer than one read', async () => {
    const words = Array.from({ length: 40_000 }, (_, at) => `w${at}`);
    const content = words.join(' ');
    const mail = await readMail({ attachments: [{ filename: 'long.txt', content }] });
    const read = new Set(mail.text.split(/\s+/));
    expect(words.filter((word) => !read.has(word))).toEqual([]);
  });

  it('are skipped with a note when broken, locked or empty', async () => {
    const mail = await readMail({
      attachments: [
        ...(await attached('locked.pdf', 'locked.docx', 'cut-off.pdf')),
        { filename: 'empty.docx', content: Buffer.alloc(0) },
        { filename: 'last.txt', content: 'The last one can be read.' },
      ],
    });
    expect(placeOf(mail, 'The last one can be read')?.location).toMatch(/^last\.txt › /);
    expect(mail.notes.map((note) => /^The attachment (\S+) was left out/.exec(note)?.[1])).toEqual([
      'locked.pdf',
      'locked.docx',
      'cut-off.pdf',
      'empty.docx',
    ]);
  });

  it('are read three messages deep, and no deeper', async () => {
    let inner = await composeMail({ from: 'a@b.example', subject: 'Depth 5', text: 'Text 5.' });
    for (const depth of [4, 3, 2, 1])
      inner = await composeMail({
        from: 'a@b.example',
        subject: `Depth ${depth}`,
        text: `Text ${depth}.`,
        attachments: [{ filename: `${depth + 1}.eml`, content: inner }],
      });
    const mail = await readMail({ attachments: [{ filename: '1.eml', content: inner }] });
    expect([1, 2, 3, 4].map((depth) => mail.text.includes(`Text ${depth}.`))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(mail.notes).toEqual(['The attachment 4.eml was left out: it is nested too deeply.']);
  });
});
