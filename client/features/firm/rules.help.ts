// Parses the subset of Markdown that the firm's guides use.

export type Inline =
  | { kind: 'text' | 'strong' | 'em' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'heading'; level: number; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] };

const FENCE = '```';
const HEADING = /^(#{1,6}) /;
const ITEM = /^(?:\d{1,3}\.|-) +/;

/** The blocks of a guide, in order. */
export function readGuide(markdown: string): Block[] {
  return readBlocks(markdown.split('\n'));
}

function readBlocks(lines: string[]): Block[] {
  const blocks: Block[] = [];
  let rest = lines;
  while (rest.length > 0) {
    const [line = ''] = rest;
    if (line.trim() === '') {
      rest = rest.slice(1);
      continue;
    }
    const [block, taken] = readBlock(line, rest);
    blocks.push(block);
    rest = rest.slice(taken);
  }
  return blocks;
}

/** @returns the block that begins at the first line, and the number of its lines */
function readBlock(line: string, lines: string[]): [Block, number] {
  const level = HEADING.exec(line)?.[1]?.length;
  if (level !== undefined)
    return [{ kind: 'heading', level, text: readInline(line.slice(level + 1)) }, 1];
  if (line.startsWith(FENCE)) {
    const end = lines.indexOf(FENCE, 1);
    const inside = lines.slice(1, end === -1 ? lines.length : end);
    return [{ kind: 'code', text: inside.join('\n') }, inside.length + 2];
  }
  if (line.startsWith('|')) {
    const rows = takeWhile(lines, (one) => one.startsWith('|'));
    const [head = [], , ...body] = rows.map(cellsOf);
    return [{ kind: 'table', head, rows: body }, rows.length];
  }
  if (ITEM.test(line)) return readList(line, lines);
  const own = [line, ...takeWhile(lines.slice(1), (one) => one.trim() !== '' && !isStart(one))];
  return [{ kind: 'paragraph', text: readInline(own.join(' ')) }, own.length];
}

function readList(line: string, lines: string[]): [Block, number] {
  const isOrdered = !line.startsWith('-');
  const items: Block[][] = [];
  let at = 0;
  for (let next = line; ITEM.test(next) && next.startsWith('-') !== isOrdered;) {
    const indent = ITEM.exec(next)?.[0].length ?? 0;
    const margin = ' '.repeat(indent);
    const more = takeWhile(
      lines.slice(at + 1),
      (one) => one.trim() === '' || one.startsWith(margin),
    );
    items.push(readBlocks([next, ...more].map((one) => one.slice(indent))));
    at += more.length + 1;
    next = lines[at] ?? '';
  }
  return [{ kind: 'list', isOrdered, items }, at];
}

function isStart(line: string): boolean {
  return HEADING.test(line) || line.startsWith(FENCE) || line.startsWith('|') || ITEM.test(line);
}

function takeWhile(lines: string[], isTaken: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !isTaken(line));
  return end === -1 ? lines : lines.slice(0, end);
}

function cellsOf(line: string): Inline[][] {
  return line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => readInline(cell.trim()));
}

const MARKS =
  /`([^`]{1,300})`|\*\*([^*]{1,300})\*\*|_([^_]{1,300})_|<(https?:[^>]{1,300})>|\[([^\]]{1,300})\]\(([^)]{1,300})\)/g;

function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) });
    parts.push(markedBy(match));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** Links to other documents of the repository are plain text: the product serves the guides alone. */
function markedBy([, code, strong, em, address, label = '', target = '']: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', text: strong };
  if (em !== undefined) return { kind: 'em', text: em };
  if (address !== undefined) return { kind: 'link', text: address, href: address };
  return /^https?:/.test(target)
    ? { kind: 'link', text: label, href: target }
    : { kind: 'text', text: label };
}
