import { detect } from 'chardet';
import iconv from 'iconv-lite';
import { reasons, UnreadableDocument } from './messages.ts';
import { cleanText, PagelessText } from './pageless.ts';

/** Paragraphs of plain text with their first lines. */
export function readPlain(bytes: Buffer): PagelessText {
  const out = new PagelessText();
  addParagraphs(out, decodeText(bytes), (line) => `Line ${line}`);
  return out;
}

/** @param locationOf names the paragraph that starts in this line */
export function addParagraphs(
  out: PagelessText,
  text: string,
  locationOf: (line: number) => string,
): void {
  let paragraph: string[] = [];
  let first = 1;
  const flush = (gap?: string) => {
    out.add({ text: paragraph.join('\n'), location: locationOf(first) }, gap);
    paragraph = [];
  };
  for (const [index, line] of cleanText(text).split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('\f')) {
      flush();
      if (line.trim() === '') continue;
    } else if (beginsAnew(line, paragraph.at(-1))) flush('\n');
    if (paragraph.length === 0) first = index + 1;
    paragraph.push(line.replace('\f', ''));
  }
  flush();
}

/** Length of a line that is not hard-wrapped: such a line is a paragraph. */
const WRAPPED = 200;
/** '4.', '4.1 ', '(a)', 'Section 4'. */
const LABEL =
  /^\s*(?:(?:article|section)\s+[\divxlc]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,4})[.)]\s|\d{1,3}(?:\.\d{1,3})+\s)/i;

/** Whether a paragraph starts here without a blank line. */
function beginsAnew(line: string, before: string | undefined): boolean {
  if (before === undefined) return false;
  return (
    before.length > WRAPPED || (LABEL.test(line) && /[.;:,]\s*$|;\s*(?:and|or)\s*$/.test(before))
  );
}

/** Bytes sampled for guessing an encoding. */
const SAMPLE = 256 * 1024;
const ESCAPE = 0x1b;

/**
 * Decodes text by its byte order mark, as valid UTF-8, else by guessing.
 * @param declared the encoding that the file declares, used unless it is valid UTF-8
 * @throws Unreadable when it is no text
 */
export function decodeText(bytes: Buffer, declared?: string): string {
  const text = decode(bytes, declared);
  if (looksBinary(text)) throw new UnreadableDocument(reasons.broken('a text file'));
  return text;
}

function decode(bytes: Buffer, declared: string | undefined): string {
  const marked = byMark(bytes);
  if (marked) return iconv.decode(bytes, marked);
  const wide = withoutMark(bytes);
  if (wide) return iconv.decode(bytes, wide);
  // ISO-2022-JP consists of seven-bit bytes, so it would pass as UTF-8.
  if (!bytes.subarray(0, SAMPLE).includes(ESCAPE)) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // Not UTF-8.
    }
  }
  if (declared && !/utf-?8/i.test(declared) && iconv.encodingExists(declared))
    return iconv.decode(bytes, declared);
  const guess = detect(bytes.subarray(0, SAMPLE)) ?? 'windows-1252';
  // Declared ISO-8859-1 nearly always is its superset windows-1252.
  const name = guess === 'ISO-8859-1' || guess === 'UTF-8' ? 'windows-1252' : guess;
  return iconv.decode(bytes, iconv.encodingExists(name) ? name : 'windows-1252');
}

function byMark(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 4).toString('hex');
  if (head.startsWith('efbbbf')) return 'utf-8';
  if (head === 'fffe0000') return 'utf-32le';
  if (head === '0000feff') return 'utf-32be';
  if (head.startsWith('fffe')) return 'utf-16le';
  if (head.startsWith('feff')) return 'utf-16be';
  return undefined;
}

/** UTF-16 without a mark: in western text every other byte is zero. */
function withoutMark(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, 4000);
  if (sample.length < 2) return undefined;
  let [even, odd] = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = sample.length / 2;
  if (odd > half * 0.7 && even < half * 0.1) return 'utf-16le';
  if (even > half * 0.7 && odd < half * 0.1) return 'utf-16be';
  return undefined;
}

function looksBinary(text: string): boolean {
  const sample = text.slice(0, 20_000);
  const odd = sample.match(/[^\P{Cc}\t\n\f\r]|\ufffd/gu)?.length ?? 0;
  return odd > Math.max(8, sample.length * 0.05);
}
