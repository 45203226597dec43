import { htmlToText, type FormatCallback } from 'html-to-text';
import { PagelessText } from './pageless.ts';
import { decodeText } from './plain.ts';

/** Private-use characters mark heading levels 1 to 6 between the two steps. */
const FIRST_SIGN = 0xf8f0;
const SIGNS = /[\uf8f0-\uf8f6]/g;

export function readHtml(bytes: Buffer): PagelessText {
  const head = bytes.subarray(0, 4096).toString('latin1');
  const declared = /charset\s{0,9}=[\s"']{0,9}([\w-]+)/i.exec(head)?.[1];
  const out = new PagelessText();
  addHtml(out, decodeText(bytes, declared));
  return out;
}

/** @param prefix of every location, before the paragraph numbers */
export function addHtml(out: PagelessText, html: string, prefix = ''): void {
  let heading = '';
  let count = 0;
  for (const block of plainText(html).split(/\n{2,}/)) {
    const sign = block.match(SIGNS)?.[0];
    const text = block.replaceAll(SIGNS, '').trim();
    if (text === '') continue;
    if (sign) {
      heading = text.replaceAll(/\s+/g, ' ').slice(0, 100);
      count = 0;
      out.add({ text, level: sign.charCodeAt(0) - FIRST_SIGN, location: prefix + heading });
    } else {
      count += 1;
      const place = heading === '' ? `Paragraph ${count}` : `${heading} › paragraph ${count}`;
      out.add({ text, location: prefix + place });
    }
  }
}

function plainText(html: string): string {
  const levels = [1, 2, 3, 4, 5, 6];
  return htmlToText(html.replaceAll(SIGNS, ''), {
    wordwrap: false,
    limits: { maxDepth: 200, maxChildNodes: 100_000, maxInputLength: 50_000_000 },
    formatters: {
      cell: formatCell,
      ...Object.fromEntries(levels.map((level) => [`title${level}`, titleFormat(level)])),
    },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'style', format: 'skip' },
      ...levels.map((level) => ({ selector: `h${level}`, format: `title${level}` })),
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
    ],
  });
}

function titleFormat(level: number): FormatCallback {
  return (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 2 });
    builder.addInline(String.fromCharCode(FIRST_SIGN + level));
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 2 });
  };
}

/** Separates the cells of a row with tabs. */
const formatCell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addLiteral('\t');
};
