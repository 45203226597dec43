// Scans read by an installed tesseract, and by stand-ins that fail; skipped where programs cannot be confined.

import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scannedPdf } from '../../testing/papers.ts';
import { findLevel } from '../confinement/levels.ts';
import { extractPages } from './extract.ts';
import type { DocumentKind } from './kinds.ts';
import { PictureService } from './tesseract.ts';

const SLOW = 180_000;
const installed = spawnSync('which', ['tesseract'], { encoding: 'utf8' }).stdout.trim();
const isConfined = (await findLevel()) !== 'permissions only';

let place: string;
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'recognizer-'));
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** A stand-in for the program, in the words of a shell that has no other program at hand. */
async function standIn(name: string, script: string): Promise<string> {
  const file = path.join(place, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

async function read(kind: DocumentKind, bytes: Buffer, tesseract?: string) {
  const { signal } = new AbortController();
  const open = async () => Readable.from([bytes]);
  const source = { kind, size: bytes.length, open, from: 1, signal, tesseract };
  const seen = await Array.fromAsync(extractPages(source));
  const pages = seen.flatMap((event) => (event.type === 'page' ? [event.page] : []));
  const notes = seen.flatMap((event) => (event.type === 'note' ? [event.text] : []));
  return {
    pages: pages.map(({ page, text }) => ({ page, words: text.trim().split(/\s+/) })),
    notes,
  };
}

const LINES = [
  'The Tenant shall pay $1,250.00 on the first day of the month.',
  'Notice of termination is due ninety days before.',
];

/** A picture of lines that rise by so many degrees. */
function turned(degrees: number): Buffer {
  const canvas = createCanvas(1700, 800);
  const pen = canvas.getContext('2d');
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, 1700, 800);
  pen.fillStyle = 'black';
  pen.font = '30px serif';
  pen.rotate((degrees * Math.PI) / 180);
  for (const [at, line] of LINES.entries()) pen.fillText(line, 200, 200 + at * 44);
  return canvas.toBuffer('image/png');
}

describe.skipIf(!installed || !isConfined)('scans read by an installed program', () => {
  test(
    'have the words that the engine of the packages reads, page by page',
    async () => {
      const bytes = await scannedPdf([0, 1, 2, 3].map((at) => [`Exhibit ${at + 11}`, ...LINES]));
      const own = await read('pdf', bytes);
      expect(own.pages.map(({ page, words }) => [page, words[1]])).toEqual([
        [1, '11'],
        [2, '12'],
        [3, '13'],
        [4, '14'],
      ]);
      expect(await read('pdf', bytes, installed)).toEqual(own);
    },
    SLOW,
  );

  test.each([0, 1, 4])(
    'have the same words where they are askew by %d degrees',
    async (degrees) => {
      const bytes = turned(degrees);
      const own = await read('image', bytes);
      expect(own.pages[0]?.words).toEqual(LINES.join(' ').split(' '));
      expect(await read('image', bytes, installed)).toEqual(own);
    },
    SLOW,
  );
});

/** The text that the program finds in a picture, and what it worked. */
async function recognize(tesseract: string | undefined, image: Buffer, limits = USUAL) {
  const service = await PictureService.open(tesseract, limits);
  const reply = await new Promise((resolve) => {
    const asker = { receive: () => Promise.resolve(image), reply: resolve };
    service.take(asker, 7).catch(resolve);
  });
  return { reply, worked: service.worked, ahead: service.ahead };
}

const USUAL = { work: 60_000, timeoutMs: 600_000 };

describe.skipIf(!installed || !isConfined)('a picture read by an installed program', () => {
  test(
    'comes back as text, or as none where it is blank',
    async () => {
      expect(await recognize(installed, turned(0))).toMatchObject({
        reply: { id: 7, text: `${LINES.join('\n')}\n` },
      });
      const blank = createCanvas(400, 300).toBuffer('image/png');
      expect(await recognize(installed, blank)).toMatchObject({ reply: { id: 7, text: '' } });
    },
    SLOW,
  );

  test(
    'is left to the asker where it takes more than allowed, or is no picture',
    async () => {
      const large = createCanvas(3500, 3500);
      const pen = large.getContext('2d');
      pen.font = '24px serif';
      for (let y = 40; y < 3500; y += 30) pen.fillText(`${LINES.join(' ')} `.repeat(3), 20, y);
      const little = { work: 1, timeoutMs: 600_000 };
      const { reply, worked } = await recognize(installed, large.toBuffer('image/png'), little);
      expect(reply).toEqual({ id: 7, text: null });
      expect(worked).toBeLessThan(3000);
      const broken = await recognize(installed, Buffer.from('no picture'));
      expect(broken.reply).toEqual({ id: 7, text: null });
    },
    SLOW,
  );
});

/** Prints a page, as the program does. */
const ANSWER = String.raw`printf "<div class='ocr_page'>\n  </div>\nits words\n </body>\n</html>\n"`;
const FAILURES = {
  crashes: 'kill -9 $$',
  'prints something else': 'echo "<html>words</html>"',
  'prints without end': 'while :; do echo words; done',
  'works without end': 'while :; do :; done',
  'waits without end': 'while :; do { while :; do :; done; } | read -r line; done',
};

describe.skipIf(!isConfined)('a program that stands in', () => {
  test.each(Object.entries(FAILURES))(
    'and %s leaves the picture to its asker',
    async (name, script) => {
      const program = await standIn(name.replaceAll(' ', '-'), script);
      const bounds = { work: 1000, timeoutMs: 5000 };
      const { reply, worked } = await recognize(program, Buffer.from('a picture'), bounds);
      expect(reply).toEqual({ id: 7, text: null });
      expect(worked).toBeLessThan(5000);
    },
    SLOW,
  );

  test(
    'and prints a page has its words taken for those of each page',
    async () => {
      const bytes = await scannedPdf(['11', '12', '13', '14', '15'].map((at) => ['Exhibit', at]));
      const { pages } = await read('pdf', bytes, await standIn('answers', ANSWER));
      expect(pages.map(({ words }) => words.join(' '))).toEqual(Array(5).fill('its words'));
    },
    SLOW,
  );

  test(
    'and fails costs no page of a scan',
    async () => {
      const bytes = await scannedPdf(['11', '12', '13', '14', '15'].map((at) => ['Exhibit', at]));
      const { pages, notes } = await read('pdf', bytes, await standIn('fails', 'exit 1'));
      expect(pages.map(({ page, words }) => [page, ...words])).toEqual(
        ['11', '12', '13', '14', '15'].map((at, index) => [index + 1, 'Exhibit', at]),
      );
      expect(notes).toEqual([]);
    },
    SLOW,
  );

  test(
    'and fails three times is not asked again in its document',
    async () => {
      const service = await PictureService.open(await standIn('fails', 'exit 1'), USUAL);
      const ask = () => new Promise((reply) => void service.take({ receive, reply }, 1));
      const receive = () => Promise.resolve(Buffer.from('a picture'));
      for (let failed = 0; failed < 3; failed += 1) await ask();
      const program = await standIn('fails', ANSWER);
      expect(await ask()).toEqual({ id: 1, text: null });
      const { reply } = await recognize(program, Buffer.from('a picture'));
      expect(reply).toEqual({ id: 7, text: 'its words\n' });
    },
    SLOW,
  );
});

test('nothing is read outside without a program, or with one that cannot be run', async () => {
  expect((await recognize(undefined, Buffer.from('a picture'))).ahead).toBe(0);
  expect((await recognize('/no/such/tesseract', Buffer.from('a picture'))).ahead).toBe(0);
  const asked = await recognize(undefined, Buffer.from('a picture'));
  expect(asked.reply).toBeInstanceOf(RangeError);
});

test('a reader that asks for more pictures than it may is refused', async ({ skip }) => {
  skip(!isConfined, 'programs cannot be confined on this machine');
  const service = await PictureService.open(await standIn('waits', 'while :; do :; done'), USUAL);
  const receive = () => Promise.resolve(Buffer.from('a picture'));
  const asker = { receive, reply: () => undefined };
  for (let id = 1; id <= service.ahead; id += 1) await service.take(asker, id);
  await expect(service.take(asker, 0)).rejects.toThrow('too many');
  service.close();
  await expect.poll(() => service.isBusy, { timeout: 20_000 }).toBe(false);
});
