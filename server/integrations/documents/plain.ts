import { decodeText } from './decode.ts';
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
