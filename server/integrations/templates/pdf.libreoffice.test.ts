// Word files that LibreOffice itself writes, filled, and read by it again; skipped where it is not installed.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog, data } from '../../testing/letter-fields.ts';
import { readWord } from '../documents/word.ts';
import { fillTemplate, inspectTemplate } from './assemble.ts';
import { toPdf } from './pdf.ts';
import { writeWord } from './word-file.ts';

const found = spawnSync('which', ['soffice'], { encoding: 'utf8' }).stdout.trim();
const { signal } = new AbortController();

/** A letter as LibreOffice keeps it: tags in pieces, a header, a table, a footnote, a comment, a tracked change, a frame. */
const LETTER = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
  xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
  xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
  xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
 <office:automatic-styles>
  <style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:page-layout style:name="L"><style:page-layout-properties fo:page-width="8.5in" fo:page-height="11in"/></style:page-layout>
 </office:automatic-styles>
 <office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L">
  <style:header><text:p>Matter of {{client.name}}</text:p></style:header>
 </style:master-page></office:master-styles>
 <office:body><office:text>
  <text:tracked-changes><text:changed-region text:id="c1"><text:insertion><office:change-info>
   <dc:creator>Ada</dc:creator><dc:date>2026-01-02T03:04:05</dc:date></office:change-info></text:insertion></text:changed-region></text:tracked-changes>
  <text:p>Dear {{cli<text:span text:style-name="B">ent.na</text:span>me}}<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Born {{client.born}}</text:p></text:note-body></text:note>,</text:p>
  <text:p>we write<office:annotation><dc:creator>Ada</dc:creator><text:p>Check this</text:p></office:annotation> to <text:change-start text:change-id="c1"/>each insurer of {{client.name}}<text:change-end text:change-id="c1"/>.</text:p>
  <table:table table:name="T"><table:table-column table:number-columns-repeated="2"/>
   <table:table-row><table:table-cell><text:p>Insurer</text:p></table:table-cell><table:table-cell><text:p>Phone</text:p></table:table-cell></table:table-row>
   <table:table-row><table:table-cell><text:p>{{#parties.insurer}}{{name}}</text:p></table:table-cell><table:table-cell><text:p>{{phone}}{{/}}</text:p></table:table-cell></table:table-row>
  </table:table>
  <text:p><draw:frame text:anchor-type="paragraph" svg:width="5in" svg:height="1in"><draw:text-box><text:p>Box of {{client.name}}</text:p></draw:text-box></draw:frame>After the box</text:p>
 </office:text></office:body>
</office:document>`;

describe.skipIf(found === '')('LibreOffice', () => {
  const home = path.join(import.meta.dirname, '../../../.cache');
  let place: string;
  let template: Buffer;

  beforeAll(async () => {
    await mkdir(home, { recursive: true });
    place = await mkdtemp(path.join(home, 'libreoffice-'));
    await mkdir(path.join(place, 'data'));
    await writeFile(path.join(place, 'letter.fodt'), LETTER);
    const profile = `-env:UserInstallation=file://${place}/profile`;
    const asked = ['--headless', '--norestore', '--convert-to', 'docx', '--outdir', place];
    await promisify(execFile)(found, [profile, ...asked, path.join(place, 'letter.fodt')]);
    template = await readFile(path.join(place, 'letter.docx'));
  }, 120_000);
  afterAll(() => rm(place, { recursive: true, force: true }));

  async function fill(bytes: Buffer): Promise<Buffer> {
    const asked = { bytes, catalog, signal, answers: {}, data, runs: [{}] };
    const [filled] = await fillTemplate({ ...asked, isWhole: true });
    if (!filled || 'error' in filled || !filled.bytes) throw new Error('nothing was made');
    return filled.bytes;
  }
  async function read(bytes: Buffer): Promise<string> {
    const made = await toPdf({ soffice: found, dataDir: path.join(place, 'data') }, bytes, signal);
    if ('error' in made) throw new Error(made.error);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(made.bytes)), {
      mergePages: true,
    });
    return text.replaceAll(/\s+/g, ' ');
  }

  test('writes a template whose tags are all understood', async () => {
    const { fields, problems } = await inspectTemplate({ bytes: template, catalog, signal });
    expect(problems).toEqual([]);
    const list = ['parties.insurer', 'parties.insurer.name', 'parties.insurer.phone'];
    expect(fields.toSorted()).toEqual(['client.born', 'client.name', ...list]);
  });

  test('reads the letter made from it, with header, table, footnote, change and frame', async () => {
    const text = await read(await fill(template));
    const name = 'Ngozi <Abara> & Daughters';
    expect(text).toContain(`Matter of ${name}`);
    expect(text).toContain(`Dear ${name}`);
    expect(text).toContain('Born [Client: date of birth]');
    expect(text).toContain(`each insurer of ${name}`);
    expect(text).toContain(`Box of ${name}`);
    expect(text).toMatch(/Meridian Mutual 518 555 0100.*Zenith 518 555 0199/);
    expect(text).not.toMatch(/[{}]/);
  });

  test('reads the letter as a Word file and writes it again with the same words', async () => {
    const file = path.join(place, 'filled.docx');
    await writeFile(file, await fill(template));
    const profile = `-env:UserInstallation=file://${place}/profile`;
    const again = path.join(place, 'again');
    const asked = ['--headless', '--norestore', '--convert-to', 'docx', '--outdir', again];
    await promisify(execFile)(found, [profile, ...asked, file]);
    const words = async (from: string) =>
      (await readWord(await readFile(from)))
        .pages()
        .map((page) => page.text)
        .join('\n')
        .split(/\s+/)
        .toSorted();
    expect(await words(path.join(again, 'filled.docx'))).toEqual(await words(file));
  }, 60_000);

  test('makes a PDF of several pages of what the product writes itself', async () => {
    const blocks = Array.from({ length: 200 }, (_, n) => ({
      text: `Line ${n} of {{client.name}}`,
    }));
    const text = await read(await fill(writeWord(blocks)));
    expect(text).toContain('Line 199 of Ngozi');
  }, 60_000);
});
