import { createRequire } from 'node:module';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import PdfDocument from 'pdfkit';
import { readable, type Knows } from './readable.ts';
import type { Entry, Errand, Heading, Made } from './transcript.ts';

const MARGIN = 54;
const FOOT = 24;
const GREY = '#555555';

const require = createRequire(import.meta.url);
// The only complete font available: Latin, Greek and Cyrillic.
const fonts = path.join(path.dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');

const document = new PdfDocument({ size: 'LETTER', margin: MARGIN, bufferPages: true });
document.registerFont('regular', path.join(fonts, 'LiberationSans-Regular.ttf'));
document.registerFont('bold', path.join(fonts, 'LiberationSans-Bold.ttf'));
document.font('regular');
// The library hides its font data.
const { font } = (document as unknown as { _font: { font: { hasGlyphForCodePoint: Knows } } })
  ._font;
const knows: Knows = (codePoint) => font.hasGlyphForCodePoint(codePoint);

document.on('data', (chunk: Buffer) => say({ chunk: Uint8Array.from(chunk) }));
document.on('end', () => say({ isDone: true }));

// Sent by `writeTranscript`.
const { title, facts } = workerData as Heading;
document.info.Title = title;
document.font('bold').fontSize(16).text(readable(title, knows)).moveDown(0.5);
document.fontSize(10);
for (const { name, value } of facts)
  document
    .font('bold')
    .text(`${name}: `, { continued: true })
    .font('regular')
    .text(readable(value, knows));
document.moveDown(1);

let written = 0;

parentPort?.on('message', (errand: Errand) => {
  if ('entries' in errand) {
    for (const entry of errand.entries) write(entry);
    say({ isReady: true });
  } else finish();
});

function write({ head, body, notes }: Entry) {
  written += 1;
  const { bottom } = document.page.margins;
  // Keep a heading with its message.
  if (document.y > document.page.height - bottom - 40) document.addPage();
  document.font('bold').fontSize(9).fillColor(GREY).text(readable(head, knows));
  document.font('regular').fontSize(11).fillColor('black').text(readable(body, knows));
  for (const note of notes)
    document.font('regular').fontSize(9).fillColor(GREY).text(readable(note, knows));
  document.moveDown(0.8);
}

function finish() {
  document.font('bold').fontSize(9).fillColor(GREY).text(`End of transcript: ${written} messages`);
  const { start, count } = document.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    document.switchToPage(start + index);
    // The footer is in the margin, where text would start a new page.
    document.page.margins.bottom = 0;
    const place = { align: 'center', lineBreak: false, width: document.page.width } as const;
    document.font('regular').fontSize(8).fillColor(GREY);
    document.text(`Page ${index + 1} of ${count}`, 0, document.page.height - MARGIN + FOOT, place);
  }
  document.end();
}

function say(made: Made) {
  parentPort?.postMessage(made, []);
}
