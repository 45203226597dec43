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
  const flush = () => {
    out.add({ text: paragraph.join('\n'), location: locationOf(first) });
    paragraph = [];
  };
  for (const [index, line] of cleanText(text).split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('\f')) {
      flush();
      if (line.trim() === '') continue;
    }
    if (paragraph.length === 0) first = index + 1;
    paragraph.push(line.replace('\f', ''));
  }
  flush();
}
