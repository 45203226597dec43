// The first page as text: enough to see what a letter says, before it is made.

import type { PreviewBlock, PreviewRun } from '@matterdesk/contract/templates.ts';
import type { Gap } from './assemble.ts';
import { blanks, type FilledParts } from './fill.ts';
import { attributeOf, decodeXml, type Token, tokenize } from './markup.ts';
import { isPageBreak } from './story.ts';
import type { Template } from './template.ts';

/** Characters of about a page. */
const PAGE = 3500;
const MAX_BLOCKS = 120;
/** Twentieths of a point of a level. */
const LEVEL = 360;
const BULLET = 'bullet';

/** The header and the body to its first page break. */
export function firstPage(template: Template, { parts, gaps }: FilledParts): PreviewBlock[] {
  const { file, stories } = template;
  const reader = new PageReader(readFormats(file.numbering), gaps);
  const header = stories.find(({ part }) => part.kind === 'header');
  const main = stories.find(({ part }) => part.kind === 'main');
  for (const story of [header, main]) {
    if (!story) continue;
    const { name, xml } = story.part;
    reader.read(tokenize(parts.get(name) ?? xml));
  }
  return reader.blocks;
}

type RunFormat = Omit<PreviewRun, 'text' | 'gap'>;
type Row = PreviewRun[][];

class PageReader {
  readonly blocks: PreviewBlock[] = [];
  readonly #formats: ReadonlyMap<string, string>;
  readonly #paths: ReadonlyMap<string, string>;
  readonly #counts = new Map<string, number>();
  #length = 0;
  #isFull = false;
  #block: PreviewBlock | undefined;
  #row: Row | undefined;
  #look: RunFormat = {};
  #isText = false;
  #isDeleted = 0;
  #isRun = false;

  /** @param formats of lists by their ids */
  constructor(formats: ReadonlyMap<string, string>, gaps: readonly Gap[]) {
    this.#formats = formats;
    this.#paths = new Map(gaps.map(({ label, path }) => [label, path]));
  }

  read(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (this.#isFull) return;
      this.#take(token);
    }
  }

  #take(token: Token): void {
    const { name, type, raw } = token;
    if (type === 'text') {
      if (this.#isText && this.#isDeleted === 0) this.#add(decodeXml(raw));
      return;
    }
    const begins = type !== 'close';
    switch (name) {
      case 'w:p':
        return begins ? this.#begin(type === 'empty') : this.#end();
      case 'w:tr':
        if (begins) this.#row = [];
        else this.#endRow();
        return;
      case 'w:tc':
        if (begins) this.#row?.push([]);
        return;
      case 'w:r':
        this.#isRun = begins;
        if (begins) this.#look = {};
        return;
      case 'w:t':
        this.#isText = type === 'open';
        return;
      case 'w:del':
      case 'mc:Fallback':
        this.#isDeleted += type === 'open' ? 1 : type === 'close' ? -1 : 0;
        return;
      case 'w:tab':
        if (this.#isRun && begins) this.#add('\t');
        return;
      case 'w:br':
        if (isPageBreak(token)) this.#isFull = this.blocks.length > 0;
        else if (begins) this.#add('\n');
        return;
      default:
        if (begins) this.#format(token);
    }
  }

  #begin(isEmpty: boolean): void {
    this.#block = { runs: [] };
    if (isEmpty) this.#end();
  }

  #format(token: Token): void {
    const value = attributeOf(token, 'w:val');
    const isOn = value !== '0' && value !== 'false' && value !== 'none';
    const block = this.#block;
    if (this.#isRun) {
      if (token.name === 'w:b' && isOn) this.#look.bold = true;
      if (token.name === 'w:i' && isOn) this.#look.italic = true;
      if (token.name === 'w:u' && isOn) this.#look.underline = true;
      if (token.name === 'w:sz') this.#look.size = Number(value) || 0;
      return;
    }
    if (!block) return;
    if (token.name === 'w:jc' && value && value in ALIGNS) block.align = ALIGNS[value];
    if (token.name === 'w:ind') block.indent = levelsOf(attributeOf(token, 'w:left'));
    if (token.name === 'w:bottom') block.rule = true;
    if (token.name === 'w:numId' && value) block.marker = this.#markerOf(value);
  }

  #markerOf(list: string): string {
    if (this.#formats.get(list) === BULLET) return '•';
    const count = (this.#counts.get(list) ?? 0) + 1;
    this.#counts.set(list, count);
    return `${count}.`;
  }

  #add(text: string): void {
    const runs = this.#row?.at(-1) ?? this.#block?.runs;
    if (!runs) return;
    this.#length += text.length;
    for (const [at, piece] of text.split(BLANKS).entries()) {
      if (piece === '') continue;
      // Every other piece stood between the marks of a blank.
      const label = at % 2 === 1 ? piece.slice(1, -1) : undefined;
      const gap = label === undefined ? undefined : (this.#paths.get(label) ?? label);
      runs.push({ ...this.#look, text: piece, ...(gap !== undefined && { gap }) });
    }
  }

  #end(): void {
    if (this.#block && !this.#row) this.#push(this.#block);
    this.#block = undefined;
  }

  #endRow(): void {
    if (this.#row) this.#push({ runs: [], row: this.#row });
    this.#row = undefined;
  }

  #push(block: PreviewBlock): void {
    this.blocks.push(block);
    this.#isFull = this.#length > PAGE || this.blocks.length >= MAX_BLOCKS;
  }
}

const BLANKS = new RegExp(`[${blanks.begin}${blanks.end}]`);
const ALIGNS: Record<string, 'center' | 'right' | 'both'> = {
  center: 'center',
  right: 'right',
  end: 'right',
  both: 'both',
};

function levelsOf(left: string | undefined): number {
  return Math.min(8, Math.max(0, Math.round(Number(left ?? 0) / LEVEL))) || 0;
}

/** Formats of the first level by the ids of lists. */
function readFormats(numbering: string | undefined): Map<string, string> {
  const abstract = new Map<string, string>();
  const formats = new Map<string, string>();
  let list = '';
  let number = '';
  for (const token of numbering === undefined ? [] : tokenize(numbering)) {
    if (token.type === 'close') continue;
    if (token.name === 'w:abstractNum') list = attributeOf(token, 'w:abstractNumId') ?? '';
    if (token.name === 'w:numFmt' && !abstract.has(list))
      abstract.set(list, attributeOf(token, 'w:val') ?? '');
    if (token.name === 'w:num') number = attributeOf(token, 'w:numId') ?? '';
    if (token.name === 'w:abstractNumId')
      formats.set(number, abstract.get(attributeOf(token, 'w:val') ?? '') ?? '');
  }
  return formats;
}
