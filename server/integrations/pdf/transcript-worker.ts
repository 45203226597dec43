// Writes PDF files.

import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import PdfDocument from 'pdfkit';
import type { Entry, WriterMessage, Heading, WorkerReply, Task } from './transcript.ts';

const MARGIN = 54;
const FOOT = 24;
const GRAY = '#555555';
/** Characters of a word that the library wraps quickly: it lays out the rest of a word anew for each of its lines. */
const LONGEST_WORD = 200;

const require = createRequire(import.meta.url);
// The only complete font available: Latin, Greek and Cyrillic.
const fonts = path.join(path.dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');

/** Writes entries from the port until the end, and streams the bytes back. */
export async function writeTranscript({ heading, port }: Task): Promise<void> {
  const paper = new Paper(heading);
  const send = (made: WorkerReply) => port.postMessage(made, []);
  paper.document.on('data', (chunk: Buffer) => send({ chunk: Uint8Array.from(chunk) }));
  const end = once(paper.document, 'end');
  port.on('message', (request: WriterMessage) => {
    if ('isEnd' in request) return paper.finish();
    for (const entry of request.entries) paper.write(entry);
    send({ isReady: true });
  });
  await end;
  send({ isDone: true });
  port.close();
}

class Paper {
  readonly document = new PdfDocument({ size: 'LETTER', margin: MARGIN, bufferPages: true });
  readonly #hasGlyph: HasGlyph;
  readonly #ending: Heading['ending'];
  #written = 0;

  constructor({ title, facts, ending }: Heading) {
    this.#ending = ending;
    const { document } = this;
    document.registerFont('regular', path.join(fonts, 'LiberationSans-Regular.ttf'));
    document.registerFont('bold', path.join(fonts, 'LiberationSans-Bold.ttf'));
    document.font('regular');
    // The library does not expose its font.
    const { font } = (
      document as unknown as { _font: { font: { hasGlyphForCodePoint: HasGlyph } } }
    )._font;
    this.#hasGlyph = (codePoint) => font.hasGlyphForCodePoint(codePoint);
    document.info.Title = title;
    document.font('bold').fontSize(16).text(this.#shown(title)).moveDown(0.5);
    document.fontSize(10);
    for (const { name, value } of facts)
      document
        .font('bold')
        .text(`${name}: `, { continued: true })
        .font('regular')
        .text(this.#shown(value));
    document.moveDown(1);
  }

  write({ head, body, notes }: Entry): void {
    const { document } = this;
    this.#written += 1;
    const { bottom } = document.page.margins;
    // Keeps a message's head with its body across pages.
    if (document.y > document.page.height - bottom - 40) document.addPage();
    document.font('bold').fontSize(9).fillColor(GRAY).text(this.#shown(head));
    document.font('regular').fontSize(11).fillColor('black').text(this.#shown(body));
    for (const note of notes)
      document.font('regular').fontSize(9).fillColor(GRAY).text(this.#shown(note));
    document.moveDown(0.8);
  }

  /** The text in the font that is set. */
  #shown(text: string): string {
    return readable(text, this.#hasGlyph).replaceAll(LONG_WORD, (word) => this.#wrap(word));
  }

  #wrap(word: string): string {
    const { document } = this;
    const most = document.page.width - 2 * MARGIN;
    let wrapped = '';
    let width = 0;
    for (const [sign] of word.matchAll(SIGN)) {
      const added = document.widthOfString(sign);
      if (width + added > most) wrapped += '\n';
      width = width + added > most ? added : width + added;
      wrapped += sign;
    }
    return wrapped;
  }

  finish(): void {
    const { document } = this;
    const { of, entries } = this.#ending;
    const ending = `End of ${of}: ${this.#written} ${entries}`;
    document.font('bold').fontSize(9).fillColor(GRAY).text(ending);
    const { start, count } = document.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      document.switchToPage(start + index);
      // The footer is in the margin, where text would start a new page.
      document.page.margins.bottom = 0;
      const place = { align: 'center', lineBreak: false, width: document.page.width } as const;
      document.font('regular').fontSize(8).fillColor(GRAY);
      document.text(
        `Page ${index + 1} of ${count}`,
        0,
        document.page.height - MARGIN + FOOT,
        place,
      );
    }
    document.end();
  }
}

/** Whether a font has a glyph for a code point. */
type HasGlyph = (codePoint: number) => boolean;

const LONG_WORD = new RegExp(`\\S{${LONGEST_WORD},}`, 'g');
/** A character, or the name of one that the font lacks. */
const SIGN = /‹U\+[0-9A-F]+›|./gsu;
const LINE_FEED = 10;
/** Invisible joiners and selectors of emoji. */
const SILENT = /\u200B|\u200C|\u200D|\p{Variation_Selector}/u;

/** Names every character that the font lacks, as ‹U+1F600›, so that nothing is lost silently. */
function readable(text: string, hasGlyph: HasGlyph): string {
  let shown = '';
  for (const sign of text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ')) {
    const code = sign.codePointAt(0) ?? 0;
    if (code === LINE_FEED) shown += sign;
    else if (SILENT.test(sign)) continue;
    else if (/\p{C}/u.test(sign) || !hasGlyph(code))
      shown += `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
    else shown += sign;
  }
  return shown;
}
