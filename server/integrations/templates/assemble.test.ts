import PizZip from 'pizzip';
import { describe, expect, test } from 'vitest';
import { readWord } from '../documents/word.ts';
import { fillTemplate, inspectTemplate } from './assemble.ts';
import type { Data, Field } from './fields.ts';
import { tokenize } from './markup.ts';
import { type Block, writeWord } from './word-file.ts';

const text = (path: string, label: string): Field => ({ path, label, kind: 'text' });
const catalog: Field[] = [
  text('client.name', 'Client: name'),
  { path: 'client.born', label: 'Client: date of birth', kind: 'date' },
  { path: 'client.phone', label: 'Client: phone', kind: 'phone' },
  { path: 'client.address', label: 'Client: address', kind: 'lines' },
  { path: 'client.emails', label: 'Client: emails', kind: 'list' },
  { path: 'case.type', label: 'Case: type', kind: 'choice', choices: ['PI', 'Civil'] },
  {
    path: 'parties.insurer',
    label: 'Insurer',
    kind: 'list',
    items: [text('name', 'name'), { path: 'phone', label: 'phone', kind: 'phone' }],
  },
];
const data: Data = {
  client: {
    name: 'Ngozi Abara',
    born: '1988-05-09',
    phone: '+1 518 555 0142',
    address: '14 Elm Street\nAlbany',
    emails: ['a@client.example', 'b@client.example', 'c@client.example'],
  },
  case: { type: 'PI' },
  parties: {
    insurer: [
      { name: 'Meridian Mutual', phone: '5185550100' },
      { name: 'Zenith & Sons', phone: '' },
    ],
  },
};
const { signal } = new AbortController();
const lines = (...all: string[]): Block[] => all.map((line) => ({ text: line }));
const inspect = (bytes: Buffer) => inspectTemplate({ bytes, catalog, signal });
const problemsOf = async (...all: string[]) =>
  (await inspect(writeWord(lines(...all)))).problems.map(
    ({ place, message }) => `${place}: ${message}`,
  );

async function fillOne(bytes: Buffer, own: Data = data, answers: Record<string, string> = {}) {
  const asked = { bytes, catalog, signal, answers, data: own, runs: [{}] };
  const [filled] = await fillTemplate({ ...asked, isWhole: true });
  if (!filled || 'error' in filled) throw new Error(filled?.error);
  return { gaps: filled.gaps, bytes: filled.bytes ?? Buffer.alloc(0) };
}
/** The paragraphs of the letter that a template makes. */
async function letter(template: Block[] | Buffer, own?: Data, answers?: Record<string, string>) {
  const bytes = Buffer.isBuffer(template) ? template : writeWord(template);
  const { bytes: made } = await fillOne(bytes, own, answers);
  requireWellFormed(made);
  const pages = (await readWord(made)).pages();
  return pages.map((page) => page.text).join('\n');
}

function requireWellFormed(bytes: Buffer) {
  const zip = new PizZip(bytes);
  for (const [name, file] of Object.entries(zip.files))
    if (/\.(xml|rels)$/.test(name)) tokenize(file.asText());
}

/** A package with parts of our own writing. */
function packed(body: string, more: Record<string, string> = {}, relations = ''): Buffer {
  const zip = new PizZip(writeWord([{ text: 'x' }]));
  const read = (name: string) => zip.file(name)?.asText() ?? '';
  const main = read('word/document.xml');
  zip.file(
    'word/document.xml',
    main.replace(/<w:body>.*?<w:sectPr>/s, `<w:body>${body}<w:sectPr>`),
  );
  const rels = 'word/_rels/document.xml.rels';
  zip.file(rels, read(rels).replace('</Relationships>', `${relations}</Relationships>`));
  for (const [name, content] of Object.entries(more)) zip.file(name, content);
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const run = (words: string, look = '') =>
  `<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">${words}</w:t></w:r>`;
const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;

describe('a template is filled', () => {
  test('with fields, dates, phone numbers, lists and lines in words', async () => {
    const made = await letter(
      lines(
        'Dear {{client.name}}, born {{client.born}} ({{client.born | short}}, {{client.born|iso}})',
        'Call {{client.phone | phone}} or write to {{client.emails | list}}',
        '{{client.name | upper}} lives at {{client.address}}',
      ),
    );
    expect(made).toContain('Dear Ngozi Abara, born May 9, 1988 (05/09/1988, 1988-05-09)');
    expect(made).toContain(
      'Call (518) 555-0142 or write to a@client.example, b@client.example and c@client.example',
    );
    expect(made).toMatch(/NGOZI ABARA lives at 14 Elm Street\s+Albany/);
  });

  test('with what a condition allows, and no line for tags alone', async () => {
    const made = await letter(
      lines(
        'First',
        '{{#case.type = ‘PI’}}',
        'Injured',
        '{{/}}',
        '{{#case.type = “Civil”}}',
        'Civil',
        '{{/case.type}}',
        '{{^client.emails}}None{{/}}{{#client.name}}Named{{/}}',
      ),
    );
    expect(made.split('\n').filter(Boolean)).toEqual(['First', 'Injured', 'Named']);
  });

  test('with whole runs repeated, so that each item looks alike', async () => {
    const body = paragraph(run('{{#parties.insurer}}Name: ', '<w:b/>'), run('{{name}}; {{/}}'));
    const { bytes } = await fillOne(packed(body));
    requireWellFormed(bytes);
    const xml = new PizZip(bytes).file('word/document.xml')?.asText() ?? '';
    expect(xml.match(/<w:rPr><w:b\/><\/w:rPr><w:t[^>]*>Name: </g)).toHaveLength(2);
  });

  test('without a line for several tags alone in a paragraph', async () => {
    const made = await letter(
      lines('{{#parties.insurer}}', '{{name}}', '{{/}} {{#client.name}}', 'Named', '{{/}}'),
    );
    expect(made.split('\n').filter(Boolean)).toEqual(['Meridian Mutual', 'Zenith & Sons', 'Named']);
    const { bytes } = await fillOne(
      writeWord(
        lines('{{#parties.insurer}}', '{{name}}', '{{/}}{{#client.name}}', 'Named', '{{/}}'),
      ),
    );
    const xml = new PizZip(bytes).file('word/document.xml')?.asText() ?? '';
    expect(xml.match(/<w:p[ >]/g)).toHaveLength(3);
  });

  test('once for each item of a list, in text and in rows', async () => {
    const made = await letter([
      ...lines('{{#parties.insurer}}', 'To {{name}} for {{client.name}}', '{{/}}'),
      {
        table: [
          ['Name', 'Phone'],
          ['{{#parties.insurer}}{{name}}', '{{phone | phone}}{{/}}'],
        ],
      },
    ]);
    expect(made).toContain('To Meridian Mutual for Ngozi Abara');
    expect(made).toContain('To Zenith & Sons for Ngozi Abara');
    expect(made).toContain('(518) 555-0100');
    expect(made).toContain('[Insurer: phone]');
  });

  test('with answers to its questions, each asked once', async () => {
    const template = writeWord(lines('{{ask ‘Which records?’}} and {{ask "Which records?"}}'));
    const { questions } = await inspect(template);
    expect(questions).toEqual(['Which records?']);
    expect(await letter(template, data, { 'Which records?': 'All\nof them' })).toMatch(
      /All\s+of them and All\s+of them/,
    );
  });

  test('with values as text, whatever they hold', async () => {
    const name = `</w:t>{{client.phone}} <b>&amp;\u202E\uE012 "x"`;
    const made = await letter(lines('{{client.name}}'), { client: { name } });
    expect(made).toContain('</w:t>{{client.phone}} <b>&amp;');
    expect(await letter(lines('{{client.name}}'), { client: { name: 'a\nb' } })).toContain('a b');
  });

  test('wherever Word has split a tag, and not with what was deleted', async () => {
    const body =
      paragraph(
        run('Dear {{cli', '<w:b/>'),
        '<w:proofErr w:type="x"/>',
        run('ent.'),
        run('name}}!'),
      ) +
      paragraph(
        '<w:ins w:id="1">',
        run('{{client'),
        '</w:ins>',
        '<w:del w:id="2"><w:r><w:delText>.born</w:delText></w:r></w:del>',
        run('.name}}'),
      );
    expect(await letter(packed(body))).toMatch(/Dear Ngozi Abara![^]*Ngozi Abara/);
  });

  test('in text boxes, headers, footers and footnotes', async () => {
    const box = `<w:r><w:pict><w:txbxContent>${paragraph(run('Box {{client.name}}'))}</w:txbxContent></w:pict></w:r>`;
    const space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const more = {
      'word/header1.xml': `<w:hdr ${space}>${paragraph(run('Head {{client.name}}'))}</w:hdr>`,
      'word/footnotes.xml': `<w:footnotes ${space}><w:footnote w:id="1">${paragraph(run('Note {{client.nam}}'))}</w:footnote></w:footnotes>`,
    };
    const relations = `<Relationship Id="h" Type="${OFFICE}/header" Target="header1.xml"/><Relationship Id="f" Type="${OFFICE}/footnotes" Target="footnotes.xml"/>`;
    const bytes = packed(paragraph(box), more, relations);
    expect((await inspect(bytes)).problems).toEqual([
      { place: 'Footnote', message: '{{client.nam}} is not a field. Did you mean client.name?' },
    ]);
    const mended = packed(
      paragraph(box),
      { ...more, 'word/footnotes.xml': more['word/footnotes.xml'].replace('nam}', 'name}') },
      relations,
    );
    const { bytes: made } = await fillOne(mended);
    const zip = new PizZip(made);
    for (const [part, words] of [
      ['document', 'Box Ngozi Abara'],
      ['header1', 'Head Ngozi Abara'],
      ['footnotes', 'Note Ngozi Abara'],
    ] as const)
      expect(zip.file(`word/${part}.xml`)?.asText()).toContain(words);
  });
});

describe('an empty field', () => {
  test('is a yellow blank with the look of its text, and named with its places', async () => {
    const bytes = packed(
      paragraph(run('Born {{client.born}}.', '<w:b/><w:sz w:val="30"/>')) +
        paragraph(run('Again {{client.born}}')),
    );
    const { gaps, bytes: made } = await fillOne(bytes, { client: {} });
    expect(gaps).toEqual([
      {
        path: 'client.born',
        label: 'Client: date of birth',
        isQuestion: false,
        places: ['Paragraph 1', 'Paragraph 2'],
        count: 2,
      },
    ]);
    const xml = new PizZip(made).file('word/document.xml')?.asText() ?? '';
    expect(xml).toContain(
      '<w:r><w:rPr><w:b/><w:sz w:val="30"/><w:highlight w:val="yellow"/></w:rPr><w:t xml:space="preserve">[Client: date of birth]</w:t></w:r>',
    );
    expect(xml).not.toMatch(/[\uE000-\uE0FF]/);
  });

  test('counts only where it is printed, and takes an answer', async () => {
    const template = writeWord(
      lines('{{#case.type = "Civil"}}{{client.born}}{{/}}{{client.phone}}'),
    );
    const { gaps } = await fillOne(template, { case: { type: 'PI' }, client: {} });
    expect(gaps.map(({ path }) => path)).toEqual(['client.phone']);
    const answered = await letter(template, { client: {} }, { 'client.phone': '911' });
    expect(answered).toContain('911');
  });

  test('of a list’s items is one, by the list’s name', async () => {
    const { gaps } = await fillOne(writeWord(lines('{{#parties.insurer}}', '{{phone}}', '{{/}}')), {
      parties: { insurer: [{ name: 'a' }, { name: 'b' }] },
    });
    expect(gaps).toMatchObject([
      { path: 'parties.insurer.phone', label: 'Insurer: phone', count: 2 },
    ]);
  });
});

describe('problems', () => {
  test('come in the order of the document, also that of a beginning without an end', async () => {
    const text = ['{{#client.name}}', '{{one}}', '{{two}}'];
    const { problems } = await inspect(writeWord(text.map((line) => ({ text: line }))));
    expect(problems.map(({ place }) => place)).toEqual([
      'Paragraph 1',
      'Paragraph 2',
      'Paragraph 3',
    ]);
  });

  test.each([
    ['{{client.nmae}}', '{{client.nmae}} is not a field. Did you mean client.name?'],
    ['{{constructor}}', '{{constructor}} is not a field.'],
    ['{{client.__proto__}}', '{{client.__proto__}} is not a field.'],
    ['{{toString}}', '{{toString}} is not a field.'],
    ['{{client.name', '{{client.name is not closed. Add }} in the same paragraph.'],
    ['name}}', '}} closes no field. Add {{ before it.'],
    ['{{#client.name}}x', '{{#client.name}} is not closed. Add {{/}} after it.'],
    ['{{/}}', '{{/}} closes nothing. Remove it, or add its beginning.'],
    [
      '{{client.name + 1}}',
      '{{client.name + 1}} is not understood. Write a field, such as {{client.name}}.',
    ],
    ['{{client.name | long}}', '{{client.name | long}}: long does not fit this field.'],
    [
      '{{client.name | money}}',
      '{{client.name | money}}: money is not a filter. Filters are long, short, iso, upper, title, phone, lines, list.',
    ],
    [
      '{{client.emails}}',
      '{{client.emails}} is a list. Add | list, or repeat it with {{#client.emails}} … {{/}}.',
    ],
    [
      "{{#case.type = 'Pi'}}x{{/}}",
      "{{#case.type = 'Pi'}}: case.type is one of PI, Civil. Did you mean PI?",
    ],
    ['{{name}}', '{{name}} is not a field.'],
    ['{{ask Which?}}', "{{ask Which?}} needs its question in quotes: {{ask 'Which records?'}}."],
  ])('name what is wrong with %s', async (tag, message) => {
    const [problem] = await problemsOf('Fine', tag);
    expect(problem?.startsWith(`Paragraph 2: ${message}`)).toBe(true);
  });

  test('name the page where Word left breaks, and the row of a table', async () => {
    const broken =
      paragraph(run('One')) + paragraph('<w:r><w:lastRenderedPageBreak/></w:r>', run('{{x}}'));
    expect((await inspect(packed(broken))).problems[0]?.place).toBe('Page 2');
    const within = paragraph(run('One'), '<w:r><w:lastRenderedPageBreak/></w:r>', run('{{x}}'));
    expect((await inspect(packed(within))).problems[0]?.place).toBe('Page 2');
    const { problems } = await inspect(writeWord([{ table: [['a'], ['{{x}}']] }]));
    expect(problems[0]?.place).toBe('Table 1, row 2');
  });

  test('are loops that go across rows, or too deep', async () => {
    const rows = [['{{#parties.insurer}}{{name}}'], ['{{/}}']];
    const { problems } = await inspect(writeWord([{ table: rows }]));
    expect(problems[0]?.message).toContain('ends in another row of the table');
    const deep = '{{#client.name}}'.repeat(9) + '{{/}}'.repeat(9);
    expect((await problemsOf(deep))[0]).toContain('more than 8 levels deep');
  });
});

test('a loop’s tag alone in a paragraph that ends a section is a problem', async () => {
  const section = '<w:pPr><w:sectPr/></w:pPr>';
  const body = paragraph(section, run('{{#client.name}}')) + paragraph(run('{{/}}'));
  expect((await inspect(packed(body))).problems[0]?.message).toContain('ends a section');
});

test('a loop that begins in a link and ends out of it is a problem', async () => {
  const torn = paragraph(
    `<w:hyperlink w:anchor="a">${run('{{#parties.insurer}}{{name}}')}</w:hyperlink>`,
    run('{{/}}'),
  );
  expect((await inspect(packed(torn))).problems[0]?.message).toContain('ends outside of the link');
});

describe('a file is refused', () => {
  const link = (kind: string, target: string) =>
    `<Relationship Id="z" Type="${OFFICE}/${kind}" Target="${target}" TargetMode="External"/>`;
  const simple = (code: string) => `<w:fldSimple w:instr="${code}">${run('x')}</w:fldSimple>`;
  const complex = (...code: string[]) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r>${code.map((piece) => `<w:r><w:instrText>${piece}</w:instrText></w:r>`).join('')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const words = paragraph(run('x'));
  test.each([
    ['no zip', Buffer.from('hello'), 'Word document'],
    ['macros', packed(words, { 'word/vbaProject.bin': 'x' }), 'macros'],
    ['another document', packed('<w:altChunk r:id="a"/>'), 'altChunk'],
    ['an embedded object', packed(words, { 'word/embeddings/oleObject1.bin': 'x' }), 'OLE'],
    [
      'a linked picture',
      packed(words, {}, link('image', 'http://x.example/a.png')),
      'linked picture',
    ],
    [
      'an attached template',
      packed(words, {}, link('attachedTemplate', 'file:///c:/a.dotm')),
      'attached to a template',
    ],
    ['a link to a file', packed(words, {}, link('hyperlink', 'file:///etc/passwd')), 'link to'],
    [
      'a field that reads a file',
      packed(paragraph(simple('INCLUDETEXT &quot;/etc/passwd&quot;'))),
      'INCLUDETEXT',
    ],
    [
      'a field that never ends',
      packed(paragraph(complex('INCLUDEPICTURE c:\\\\x').replace(/<w:r>[^/]*"end"\/><\/w:r>/, ''))),
      'INCLUDEPICTURE',
    ],
    ['a field in pieces', packed(paragraph(complex('DDE', 'AUTO c:\\\\cmd'))), 'DDEAUTO'],
    [
      'a document type',
      packed(words, { 'word/more.xml': '<!DOCTYPE x [<!ENTITY a "b">]><x/>' }),
      'DOCTYPE',
    ],
  ])('with %s', async (_, bytes, sentence) => {
    await expect(inspect(bytes)).rejects.toThrow(sentence);
  });

  test('not for a link to a page', async () => {
    const bytes = packed(words, {}, link('hyperlink', 'https://court.example/'));
    expect((await inspect(bytes)).problems).toEqual([]);
  });

  test('with 200,000 tags in a small file', async () => {
    const bytes = packed(paragraph(run('{{client.name}}'.repeat(200_000))));
    expect(bytes.length).toBeLessThan(60_000);
    await expect(inspect(bytes)).rejects.toThrow('more than 5,000 fields');
  });

  test('that unpacks to more than 50 MB', async () => {
    const bytes = packed(words, { 'word/big.xml': `<x>${' '.repeat(51 * 1024 * 1024)}</x>` });
    await expect(inspect(bytes)).rejects.toThrow('expands to far more than its size');
  });
});

test('a document that would be too large fails alone, and those beside it stand', async () => {
  const template = lines(
    '{{#parties.insurer}}',
    '{{#client.emails}}',
    '{{name}}',
    '{{/}}',
    '{{/}}',
  );
  const many = Array.from({ length: 350 }, (_, n) => ({ name: `${n}`, phone: '' }));
  const emails = many.map(({ name }) => name);
  const runs = [{}, { parties: { insurer: many }, client: { emails } }, {}];
  const asked = { bytes: writeWord(template), catalog, signal, answers: {}, data, runs };
  const filled = await fillTemplate({ ...asked, isWhole: false });
  expect(filled[1]).toEqual({ code: 'tooLarge', error: 'This document would be too large' });
  expect([filled[0], filled[2]]).toEqual([{ gaps: [] }, { gaps: [] }]);
});

test('documents for which no time is left say so, not that they are too large', async () => {
  const ending = new AbortController();
  const late = {
    code: 'late',
    error: 'There was no time left for this document. Make fewer at a time.',
  };
  const asked = { bytes: writeWord(lines('{{client.name}}')), catalog, answers: {}, data };
  const begun = { ...asked, signal: ending.signal, isWhole: false };
  // Time ends while the order is written for the process.
  const runs = [{ toJSON: () => ending.abort() }, {}] as unknown as Data[];
  expect(await fillTemplate({ ...begun, runs })).toEqual([late, late]);
  expect(await fillTemplate({ ...begun, runs: [{}] })).toEqual([late]);
});

test('the first page has its header, marks and blanks', async () => {
  const template: Block[] = [
    { text: '{{client.name}}', align: 'center', bold: true, rule: true },
    { text: 'One', marker: 'number' },
    { text: 'Two {{client.born}}', marker: 'number' },
  ];
  const asked = { bytes: writeWord(template), catalog, signal, answers: {}, runs: [{}] };
  const own = { client: { name: 'Ada' } };
  const [filled] = await fillTemplate({ ...asked, data: own, isWhole: false, preview: 0 });
  expect(filled && 'preview' in filled && filled.preview).toEqual([
    { align: 'center', rule: true, runs: [{ text: 'Ada', bold: true }] },
    { marker: '1.', runs: [{ text: 'One' }] },
    {
      marker: '2.',
      runs: [{ text: 'Two ' }, { text: '[Client: date of birth]', gap: 'client.born' }],
    },
  ]);
});
