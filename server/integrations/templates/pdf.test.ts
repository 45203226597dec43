import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLevel } from '../confinement/levels.ts';
import { canMakePdf, toPdf } from './pdf.ts';

/** A stand-in for LibreOffice, which says in its PDF what it was asked and what it reaches. */
const CONVERTER = `#!/bin/sh
for last; do :; done
while [ "$1" != --outdir ]; do
  case "$1" in -env:*) profile=$1;; esac
  shift
done
if grep -q broken "$last"; then exit 1; fi
if grep -q slow "$last"; then exec sleep 600; fi
{ echo "%PDF $profile"; cat "$last"; grep -c : /proc/net/dev; } > "$2/letter.pdf"
`;

// Outside of the system's directory for temporary files, which the converter does not see.
const home = path.join(import.meta.dirname, '../../../.cache');
let place: string;
let soffice: string;

beforeAll(async () => {
  await mkdir(home, { recursive: true });
  place = await mkdtemp(path.join(home, 'converter-'));
  soffice = path.join(place, 'soffice');
  await mkdir(path.join(place, 'data'));
  await writeFile(soffice, CONVERTER);
  await chmod(soffice, 0o755);
});
afterAll(() => rm(place, { recursive: true, force: true }));

const convert = (text: string, { signal } = new AbortController()) =>
  toPdf({ soffice, dataDir: path.join(place, 'data') }, Buffer.from(text), signal);
const left = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('matterdesk-pdf-'));

test('a PDF is made by the converter, each with a profile of its own, and nothing is left', async () => {
  const made = await Promise.all([convert('One'), convert('Two')]);
  const texts = made.map((one) => ('bytes' in one ? one.bytes.toString() : one.error));
  const profiles = texts.map((text) => /UserInstallation=(\S+)/.exec(text)?.[1]);
  expect(new Set(profiles).size).toBe(2);
  expect(texts.map((text) => text.split('\n')[1])).toEqual([
    expect.stringContaining('One'),
    expect.stringContaining('Two'),
  ]);
  expect(await left()).toEqual([]);
});

test('a converter in namespaces has no network but itself', async () => {
  const isConfined = ['bubblewrap', 'namespaces'].includes(await findLevel());
  const made = await convert('One');
  const interfaces = 'bytes' in made ? made.bytes.toString().trim().slice(-1) : made.error;
  expect(interfaces).toMatch(isConfined ? /^1$/ : /^\d$/);
});

test('a document that the converter refuses has a sentence instead', async () => {
  expect(await convert('broken')).toEqual({ error: 'LibreOffice could not make the PDF' });
  expect(await left()).toEqual([]);
});

test('a document waits for the run of another no longer than it has time itself', async () => {
  const [running, waiting] = [new AbortController(), new AbortController()];
  const [slow, next] = [convert('slow', running), convert('next', waiting)];
  const late = { error: 'There was no time left for the PDF. Make fewer at a time.' };
  waiting.abort();
  expect(await next).toEqual(late);
  running.abort();
  expect(await slow).toEqual(late);
  expect(await convert('One')).toHaveProperty('bytes');
  expect(await left()).toEqual([]);
});

test('a server without the converter makes no PDF', () => {
  expect(canMakePdf({ soffice: undefined })).toBe(false);
  expect(canMakePdf({ soffice })).toBe(true);
});
