// Files that Word and LibreOffice wrote, as mammoth ships them for its own tests; what is made of them is read by mammoth.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import mammoth from 'mammoth';
import PizZip from 'pizzip';
import { expect, test } from 'vitest';
import { catalog, data } from '../../testing/letter-fields.ts';
import { fillTemplate, inspectTemplate } from './assemble.ts';

const { signal } = new AbortController();

function read(name: string): Buffer {
  const rest = path.join('node_modules/mammoth/test/test-data', `${name}.docx`);
  let at = import.meta.dirname;
  while (!existsSync(path.join(at, rest)) && at !== path.dirname(at)) at = path.dirname(at);
  return readFileSync(path.join(at, rest));
}

/** The file with other words in its runs, as typing them would leave it: nothing else is touched. */
function typed(name: string, words: Record<string, string>): Buffer {
  const zip = new PizZip(read(name));
  const left = new Set(Object.keys(words));
  for (const file of Object.keys(zip.files).filter((one) => /^word\/\w+\.xml$/.test(one))) {
    const xml = zip.file(file)?.asText() ?? '';
    const next = xml.replaceAll(/(<w:t(?: [^>]*)?>)([^<]*)(<\/w:t>)/g, (all, open, text, close) => {
      const word = words[String(text)];
      if (word === undefined) return all;
      left.delete(String(text));
      return `${open}${word}${close}`;
    });
    if (next !== xml) zip.file(file, next);
  }
  expect([...left]).toEqual([]);
  return zip.generate({ type: 'nodebuffer' });
}

async function fill(bytes: Buffer) {
  const { problems } = await inspectTemplate({ bytes, catalog, signal });
  expect(problems).toEqual([]);
  const asked = { bytes, catalog, signal, answers: {}, data, runs: [{}] };
  const [filled] = await fillTemplate({ ...asked, isWhole: true });
  if (!filled || 'error' in filled || !filled.bytes) throw new Error('nothing was made');
  return filled.bytes;
}

/** The letter as another reader, which has to understand its markup, finds it. */
async function html(bytes: Buffer): Promise<string> {
  const options = { styleMap: ['comment-reference => sup'] };
  const { value, messages } = await mammoth.convertToHtml({ buffer: bytes }, options);
  expect(messages.filter(({ type }) => type === 'error')).toEqual([]);
  return value.replaceAll(/ id="[^"]*"/g, '');
}

const NAME = 'Ngozi &lt;Abara&gt; &amp; Daughters';
const BLANK = '[Client: date of birth]';

test('a table of Word gets a row for each item', async () => {
  const template = typed('tables', {
    Above: 'Re: {{client.name}}',
    'Bottom left': '{{#parties.insurer}}{{name}}',
    'Bottom right': '{{phone}}{{/}}',
  });
  const row = (...cells: string[]) =>
    `<tr>${cells.map((cell) => `<td><p>${cell}</p></td>`).join('')}</tr>`;
  expect(await html(await fill(template))).toBe(
    `<p>Re: ${NAME}</p><table>${row('Top left', 'Top right')}${row('Meridian Mutual', '518 555 0100')}${row('Zenith', '518 555 0199')}</table><p>Below</p>`,
  );
});

test('a text box of Word is filled, in both of its forms', async () => {
  const made = await fill(typed('text-box', { 'Datum plane': '{{client.name}}, {{client.born}}' }));
  expect(await html(made)).toBe(`<p>${NAME}, ${BLANK}</p>`);
  const xml = new PizZip(made).file('word/document.xml')?.asText() ?? '';
  expect(xml.split(NAME)).toHaveLength(3);
  expect(xml.split('<w:highlight w:val="yellow"/>')).toHaveLength(3);
});

test('footnotes of Word are filled, and stay where they were', async () => {
  const words = { Ouch: '{{client.name}}', ' A tachyon walks into a bar.': ' {{client.name}}' };
  const made = await html(await fill(typed('footnotes', words)));
  expect(made).toContain(`<p>${NAME}<sup>`);
  expect(made).toContain(`<li><p> ${NAME} <a href="#footnote-ref-1">↑</a></p></li>`);
});

test('endnotes are filled', async () => {
  const words = { Ouch: '{{client.name}}', ' A tachyon walks into a bar.': ' {{client.name}}' };
  const made = await html(await fill(typed('endnotes', words)));
  expect(made).toContain(`<p>${NAME}<sup>`);
  expect(made).toMatch(new RegExp(`<li><p> ${NAME} <a href`));
});

test('a tag with a comment of Word in its middle is one tag, and the comment stays', async () => {
  const template = typed('comments', { Ouch: '{{client.', '.': 'name}}' });
  const made = await html(await fill(template));
  expect(made.replaceAll(/<a [^>]*>|<\/a>/g, '')).toContain(NAME);
  expect(made).toContain('A tachyon walks into a bar.');
  expect(made).not.toContain('{{');
});

test('points of a list of Word are repeated with their marks', async () => {
  const words = { Apple: '{{#parties.insurer}}', Banana: '{{name}}' };
  const zip = new PizZip(typed('simple-list', words));
  const xml = zip.file('word/document.xml')?.asText() ?? '';
  // Enter after the last point makes another one like it.
  const last = /<w:p [^>]*>(?:(?!<w:p ).)*\{\{name\}\}.*?<\/w:p>/s;
  zip.file(
    'word/document.xml',
    xml.replace(last, (point) => `${point}${point.replace('{{name}}', '{{/}}')}`),
  );
  expect(await html(await fill(zip.generate({ type: 'nodebuffer' })))).toBe(
    '<ul><li>Meridian Mutual</li><li>Zenith</li></ul>',
  );
});

test.each([
  ['strict-format', 'Test', `<p>${NAME}</p>`],
  ['underline', 'Sunset', `<p><strong>The ${NAME} Tree</strong></p>`],
  ['strikethrough', 'Today’s Special: Salmon', `<p><s>${NAME}</s> Sold out</p>`],
  ['embedded-style-map', 'Walking on imported air', `<h1>${NAME}</h1>`],
  ['utf8-bom', 'This XML has a byte order mark.', `<p>${NAME}</p>`],
])('the look of %s stays', async (name, word, expected) => {
  const straight = word.replace('’', "'");
  expect(await html(await fill(typed(name, { [straight]: '{{client.name}}' })))).toBe(expected);
});

test('pictures of Word stay', async () => {
  const before = await html(read('tiny-picture'));
  expect(before).toContain('<img src="data:image/png;base64,');
  expect(await html(await fill(read('tiny-picture')))).toBe(before);
});

test('a linked picture of LibreOffice is refused', async () => {
  const bytes = read('external-picture');
  await expect(inspectTemplate({ bytes, catalog, signal })).rejects.toThrow('linked picture');
});
