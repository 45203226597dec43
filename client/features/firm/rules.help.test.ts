import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readGuide, type Block } from './rules.help.ts';

const text = (words: string) => [{ kind: 'text', text: words }];

test('a guide has headings, paragraphs across lines, code and tables', () => {
  const guide = `# Email\n\nFirst line\nand **bold** \`code\`.\n\n\`\`\`\nhttps://x\n\`\`\`\n\n| A | B |\n| - | - |\n| 1 | _two_ |\n`;
  expect(readGuide(guide)).toEqual([
    { kind: 'heading', level: 1, text: text('Email') },
    {
      kind: 'paragraph',
      text: [
        { kind: 'text', text: 'First line and ' },
        { kind: 'strong', text: 'bold' },
        { kind: 'text', text: ' ' },
        { kind: 'code', text: 'code' },
        { kind: 'text', text: '.' },
      ],
    },
    { kind: 'code', text: 'https://x' },
    {
      kind: 'table',
      head: [text('A'), text('B')],
      rows: [[text('1'), [{ kind: 'em', text: 'two' }]]],
    },
  ]);
});

test('a guide keeps the blocks inside of a step, and tells numbered steps from points', () => {
  const guide = '1. Open\n   it.\n\n   ```\n   address\n   ```\n\n2. Done.\n\n- a\n- b';
  expect(readGuide(guide)).toEqual([
    {
      kind: 'list',
      isOrdered: true,
      items: [
        [
          { kind: 'paragraph', text: text('Open it.') },
          { kind: 'code', text: 'address' },
        ],
        [{ kind: 'paragraph', text: text('Done.') }],
      ],
    },
    {
      kind: 'list',
      isOrdered: false,
      items: [[{ kind: 'paragraph', text: text('a') }], [{ kind: 'paragraph', text: text('b') }]],
    },
  ]);
});

test('a guide links to other sites only', () => {
  expect(
    readGuide('[Here](https://example.com), [there](install.md), <https://example.org>'),
  ).toEqual([
    {
      kind: 'paragraph',
      text: [
        { kind: 'link', text: 'Here', href: 'https://example.com' },
        { kind: 'text', text: ', ' },
        { kind: 'text', text: 'there' },
        { kind: 'text', text: ', ' },
        { kind: 'link', text: 'https://example.org', href: 'https://example.org' },
      ],
    },
  ]);
});

test.each(['google', 'twilio'])('the guide to %s is read without a mark left over', (name) => {
  const file = path.join(import.meta.dirname, `../../../docs/${name}.md`);
  const blocks = readGuide(readFileSync(file, 'utf8'));
  expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 });
  const plain = blocks.flatMap(textsOf);
  expect(plain.length).toBeGreaterThan(50);
  expect(plain.filter((one) => /\*\*|`|^#|\]\(|\|/.test(one))).toEqual([]);
});

/** The plain text that a reader sees. */
function textsOf(block: Block): string[] {
  if (block.kind === 'code') return [];
  if (block.kind === 'list') return block.items.flat().flatMap(textsOf);
  const inlines =
    block.kind === 'table' ? [...block.head, ...block.rows.flat()].flat() : block.text;
  return inlines.filter(({ kind }) => kind === 'text').map((one) => one.text);
}
