// Writes plain Word files: the letters that come with the product, and those of tests.

import PizZip from 'pizzip';
import { escapeXml } from './markup.ts';

/** A paragraph of one look, or a table. */
export type Block =
  | {
      text: string;
      bold?: boolean;
      italic?: boolean;
      align?: 'center' | 'right' | 'both';
      /** Half points. */
      size?: number;
      /** Levels of indentation. */
      indent?: number;
      /** Sign of a list; numbers restart after a paragraph without one. */
      marker?: 'number' | 'bullet';
      /** Whether a line is drawn under it. */
      rule?: boolean;
    }
  /** Rows of cells. */
  | { table: readonly (readonly string[])[] };

const NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
/** Twentieths of a point of a level. */
const LEVEL = 360;
/** The same bytes for the same blocks, whenever they are written. */
const WRITTEN = new Date(2026, 0, 1);
const BULLETS = 1;

/** @returns the bytes of a .docx */
export function writeWord(blocks: readonly Block[]): Buffer {
  const zip = new PizZip();
  const { body, lists } = bodyOf(blocks);
  const files = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${TYPE}.numbering+xml"/></Types>`,
    '_rels/.rels': relationships([['officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationships([
      ['styles', 'styles.xml'],
      ['numbering', 'numbering.xml'],
    ]),
    'word/styles.xml': STYLES,
    'word/numbering.xml': numbering(lists),
    'word/document.xml': `${HEAD}<w:document xmlns:w="${NAMESPACE}"><w:body>${body}<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>`,
  };
  for (const [name, text] of Object.entries(files))
    zip.file(name, text, { date: WRITTEN, createFolders: false });
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

function bodyOf(blocks: readonly Block[]): { body: string; lists: number } {
  let lists = 0;
  let isNumbered = false;
  const parts = blocks.map((block) => {
    if ('table' in block) return table(block.table);
    const begins = block.marker === 'number' && !isNumbered;
    isNumbered = block.marker === 'number';
    if (begins) lists += 1;
    return paragraph(block, lists);
  });
  return { body: parts.join(''), lists };
}

function paragraph(block: Exclude<Block, { table: unknown }>, list: number): string {
  const { text, bold, italic, align, size, indent = 0, marker, rule } = block;
  const id = marker === 'bullet' ? BULLETS : list + BULLETS;
  const properties = [
    marker && `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>`,
    rule && '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="6" w:color="auto"/></w:pBdr>',
    indent > 0 && `<w:ind w:left="${indent * LEVEL}"/>`,
    align && `<w:jc w:val="${align}"/>`,
  ];
  const look = [bold && '<w:b/>', italic && '<w:i/>', size && `<w:sz w:val="${size}"/>`];
  const run = `<w:r><w:rPr>${join(look)}</w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
  return `<w:p><w:pPr>${join(properties)}</w:pPr>${text === '' ? '' : run}</w:p>`;
}

function join(parts: readonly (string | number | boolean | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string').join('');
}

function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const grid = '<w:gridCol w:w="3000"/>'.repeat(columns);
  const lines = rows.map((row) => {
    const cells = row.map(
      (cell) =>
        `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${paragraph({ text: cell }, 0)}</w:tc>`,
    );
    return `<w:tr>${cells.join('')}</w:tr>`;
  });
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${lines.join('')}</w:tbl>`;
}

function relationships(parts: readonly (readonly [kind: string, target: string])[]): string {
  const lines = parts.map(
    ([kind, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`;
}

const STYLES = `${HEAD}<w:styles xmlns:w="${NAMESPACE}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Georgia"/><w:sz w:val="22"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>`;

/** Bullets, and numbers from 1 for each list. */
function numbering(lists: number): string {
  const level = (format: string, text: string) =>
    `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl>`;
  const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>';
  const numbers = Array.from(
    { length: lists },
    (_, at) =>
      `<w:num w:numId="${at + 1 + BULLETS}"><w:abstractNumId w:val="1"/>${restart}</w:num>`,
  );
  return `${HEAD}<w:numbering xmlns:w="${NAMESPACE}"><w:abstractNum w:abstractNumId="0">${level('bullet', '•')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level('decimal', '%1.')}</w:abstractNum><w:num w:numId="${BULLETS}"><w:abstractNumId w:val="0"/></w:num>${numbers.join('')}</w:numbering>`;
}
