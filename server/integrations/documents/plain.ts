import { decodeText } from './decode.ts';
import { cleanText, PagelessText } from './pageless.ts';

/** Paragraphs of a plain text, each with the line where it begins. */
export function readPlain(bytes: Buffer): PagelessText {
  const out = new PagelessText();
  addParagraphs(out, decodeText(bytes), (line) => `Line ${line}`);
  return out;
}

/** @param locationOf what the paragraph that begins in this line is called */
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

/** Letters in a line that nobody wraps: such a line is a paragraph. */
const WRAPPED = 200;
/** '4.', '4.1 ', '(a)', 'Section 4'. */
const LABEL =
  /^\s*(?:(?:article|section)\s+[\divxlc]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,4})[.)]\s|\d{1,3}(?:\.\d{1,3})+\s)/i;

/** Whether a paragraph begins here although no blank line says so. */
function beginsAnew(line: string, before: string | undefined): boolean {
  if (before === undefined) return false;
  return (
    before.length > WRAPPED || (LABEL.test(line) && /[.;:,]\s*$|;\s*(?:and|or)\s*$/.test(before))
  );
}
