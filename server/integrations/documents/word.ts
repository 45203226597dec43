import { parseOffice, type OfficeContentNode } from 'officeparser';
import { reasons, UnreadableDocument } from './messages.ts';
import { PagelessText } from './pageless.ts';
import { refuseBombs } from './zip-guard.ts';

const WHAT = 'a Word, OpenDocument or RTF document';

/** DOCX, ODT and RTF: paragraphs below their headings. */
export async function readWord(bytes: Buffer): Promise<PagelessText> {
  const type = typeOf(bytes);
  if (type === 'docx') await refuseBombs(bytes, WHAT);
  const out = new PagelessText();
  const places = new Places();
  for (const node of await parse(bytes, type)) addNode(out, places, node);
  return out;
}

function typeOf(bytes: Buffer): 'docx' | 'rtf' | 'locked' {
  const head = bytes.subarray(0, 8).toString('latin1');
  if (head.startsWith('PK')) return 'docx';
  if (/^\s*\{\\rtf/.test(head)) return 'rtf';
  // Word stores encrypted documents in the container of legacy Office files.
  if (head.startsWith('\xd0\xcf\x11\xe0')) return 'locked';
  throw new UnreadableDocument(reasons.broken(WHAT));
}

async function parse(bytes: Buffer, type: 'docx' | 'rtf' | 'locked') {
  try {
    const { content } = await parseOffice(bytes, {
      // Its own detection distinguishes DOCX from ODT.
      ...(type === 'rtf' && { fileType: 'rtf' as const }),
      ignoreHeadersAndFooters: true,
      decompressionLimits: { maxUncompressedBytes: 200 * 1024 * 1024 },
    });
    return content;
  } catch (error) {
    throw new UnreadableDocument(
      /password/i.test(describe(error)) ? reasons.encrypted : reasons.broken(WHAT),
    );
  }
}

function describe(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return `${String(code)} ${String(message)}`;
}

/** Locates paragraphs by the heading above: 'Rent › paragraph 3'. */
class Places {
  #heading = '';
  #count = 0;

  open(heading: string): string {
    this.#heading = heading.trim().slice(0, 100);
    this.#count = 0;
    return this.#heading;
  }

  next(): string {
    this.#count += 1;
    const paragraph = `paragraph ${this.#count}`;
    return this.#heading === ''
      ? paragraph[0]?.toUpperCase() + paragraph.slice(1)
      : `${this.#heading} › ${paragraph}`;
  }
}

function addNode(out: PagelessText, places: Places, node: OfficeContentNode): void {
  const level = levelOf(node);
  if (level) {
    const text = textOf(node);
    if (text.trim() !== '') out.add({ text, level, location: places.open(text) });
  } else if (node.type === 'table') addTable(out, places, node);
  else if (isLeaf(node)) addParagraph(out, places, textOf(node));
  else for (const child of node.children ?? []) addNode(out, places, child);
}

function addParagraph(out: PagelessText, places: Places, text: string) {
  if (text.trim() !== '') out.add({ text, location: places.next() });
}

/** A line per row, cells separated by tabs. */
function addTable(out: PagelessText, places: Places, table: OfficeContentNode): void {
  for (const row of table.children ?? []) {
    const cells = (row.children ?? []).map((cell) =>
      textOf(cell).replaceAll(/(?<!\s)\s*\n\s*/g, ' '),
    );
    addParagraph(out, places, cells.join('\t'));
  }
}

/** Headings by style; the parser reports Word's numbered headings as lists. */
function levelOf({ type, metadata }: OfficeContentNode): number {
  const { level, style } = (metadata ?? {}) as { level?: unknown; style?: unknown };
  if (type === 'heading') return typeof level === 'number' ? level : 1;
  const named = typeof style === 'string' ? /^heading[ _]*(\d)/i.exec(style)?.[1] : undefined;
  return type === 'list' && named ? Number(named) : 0;
}

const INSIDE_A_LINE = new Set(['text', 'break', 'image', 'note', 'comment', 'link']);

function isLeaf(node: OfficeContentNode): boolean {
  return (node.children ?? []).every((child) => INSIDE_A_LINE.has(child.type));
}

/** Inserts footnotes where they are referenced. */
function textOf(node: OfficeContentNode): string {
  const children = node.children ?? [];
  if (node.type === 'break') return '\n';
  if (children.length === 0) return node.text ?? '';
  const isInline = isLeaf(node);
  return children
    .map(textOf)
    .filter((text) => isInline || text.trim() !== '')
    .join(isInline ? '' : '\n');
}
