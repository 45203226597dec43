import { createRequire } from 'node:module';
import path from 'node:path';
import pLimit from 'p-limit';
import {
  definePDFJSModule,
  extractImages,
  getDocumentProxy,
  getResolvedPDFJS,
  renderPageAsImage,
} from 'unpdf';
import { type Page, pageOf, reasons, UnreadableDocument } from './messages.ts';
import type { Picture, PictureReader } from './ocr.ts';
import { cleanText } from './pageless.ts';
import { encoded, encodePixels, pictured, type Pixels, refuseLarge } from './picture.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<Document['getPage']>>;

/** Pages after which the engine drops fonts and images; otherwise 6,000 pages fill the memory. */
const PAGES_PER_CLEANUP = 200;
/** Pages with less text are read with OCR. */
const MIN_TEXT_LENGTH = 20;
const FEW_MARKS = 50;
const FEW_WORDS = 5;
/** Dots per inch of pages rendered for OCR. */
const DPI = 200;

const require = createRequire(import.meta.url);

export class PdfPages {
  readonly #document: Document;
  /** The pixels of one page fill much of the memory. */
  readonly #oneAtATime = pLimit(1);

  private constructor(document: Document) {
    this.#document = document;
  }

  /** @throws Unreadable */
  static async open(bytes: Buffer): Promise<PdfPages> {
    // unpdf's bundled engine lacks decoders for fax and JPEG 2000 images, which scanners write.
    await definePDFJSModule(() => import('pdfjs-dist/legacy/build/pdf.mjs'));
    try {
      const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return new PdfPages(await getDocumentProxy(data, { verbosity: 0, ...resources() }));
    } catch (error) {
      const isLocked = error instanceof Error && error.name === 'PasswordException';
      throw new UnreadableDocument(isLocked ? reasons.encrypted : reasons.broken('a PDF'));
    }
  }

  get count(): number {
    return this.#document.numPages;
  }

  async close(): Promise<void> {
    await this.#document.loadingTask.destroy();
  }

  /** @param page from 1 */
  async read(page: number, reader: PictureReader): Promise<Page> {
    const { text, recognizing } = await this.#oneAtATime(() => this.#open(page, reader));
    if (!recognizing) return pageOf(page, text);
    const recognized = pictured(page, await recognizing.text);
    return recognized.text.trim() === '' ? { ...recognized, text } : recognized;
  }

  async #open(page: number, reader: PictureReader) {
    // Cleanup fails while another page renders; the next one succeeds.
    if (page % PAGES_PER_CLEANUP === 0) await this.#document.cleanup().catch(() => undefined);
    const proxy = await this.#document.getPage(page);
    const { text, picture } = await this.#extractContent(page, proxy);
    // Releases the page's pixels, which are not garbage-collected in time.
    proxy.cleanup();
    // Wrapped, so that the next page need not wait for it.
    return { text, recognizing: picture && { text: reader.read(picture) } };
  }

  /** The page's text, and a picture of the page for OCR if it has little text. */
  async #extractContent(
    page: number,
    proxy: PdfPage,
  ): Promise<{ text: string; picture?: Picture }> {
    const { items } = await proxy.getTextContent();
    const text = cleanText(joinRuns(items.filter((item) => 'str' in item)));
    if (text.replaceAll(/\s/g, '').length >= MIN_TEXT_LENGTH || !(await hasPicture(proxy)))
      return { text };
    return {
      text,
      picture: (await this.#scanOf(page, proxy)) ?? (await this.#draw(page, proxy)),
    };
  }

  /** For a page that is one upright image, extracting it is faster than rendering. */
  async #scanOf(page: number, proxy: PdfPage): Promise<Picture | undefined> {
    const { width, height, rotation } = proxy.getViewport({ scale: 1 });
    if (rotation !== 0) return undefined;
    const images = await extractImages(this.#document, page);
    const [image] = images;
    if (!image || images.length > 1) return undefined;
    const isWholePage = Math.abs(image.width / image.height / (width / height) - 1) < 0.03;
    if (!isWholePage || image.width < 800) return undefined;
    refuseLarge(image);
    const { data } = image;
    const content = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return { content, encode: () => encodePixels(withoutMask(image)) };
  }

  async #draw(page: number, proxy: PdfPage): Promise<Picture> {
    const { width, height } = proxy.getViewport({ scale: 1 });
    // Plans are larger than letters, and so is their lettering.
    const scale = Math.min(DPI / 72, 5000 / Math.max(width, height));
    const png = await renderPageAsImage(this.#document, page, {
      canvasImport: () => import('@napi-rs/canvas'),
      scale,
    });
    return encoded(Buffer.from(png));
  }
}

/** True when the page paints possible letters: an image, outlines, or a font without Unicode. */
async function hasPicture(proxy: PdfPage): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const pictures = [OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject];
  const { fnArray } = await proxy.getOperatorList();
  if (pictures.some((operator) => fnArray.includes(operator))) return true;
  // A rule and a page number are not enough.
  const marks = fnArray.filter((operator) => operator === OPS.constructPath);
  const words = fnArray.filter((operator) => operator === OPS.showText);
  return marks.length > FEW_MARKS || words.length > FEW_WORDS;
}

/** A scan's opacity would hide parts of it. */
function withoutMask(image: Pixels): Pixels {
  if (image.channels !== 4) return image;
  const data = Uint8ClampedArray.from(image.data);
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return { ...image, data };
}

/** Locations of decoders for scanners' compressions, and of data that PDFs do not embed. */
function resources() {
  const home = path.dirname(require.resolve('pdfjs-dist/package.json'));
  return {
    wasmUrl: `${home}/wasm/`,
    standardFontDataUrl: `${home}/standard_fonts/`,
    cMapUrl: `${home}/cmaps/`,
    cMapPacked: true,
  };
}

/** A text run of a page, as pdf.js returns it. */
type TextRun = {
  str: string;
  /** Scale, skew and position: [a, b, c, d, x, y], y upwards. */
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
};

type Line = { text: string; y: number; size: number };

/**
 * Readable text of a page. It keeps the document's order, in which viewers find quotations, and
 * detects lines and paragraphs by their positions.
 */
function joinRuns(runs: TextRun[]): string {
  const lines = toLines(runs);
  const pitch = usualPitch(lines);
  let text = '';
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above) text += isParagraphEnd(above, line, pitch) ? '\n\n' : '\n';
    text += line.text;
  }
  return text;
}

function toLines(runs: TextRun[]): Line[] {
  const lines: Line[] = [];
  let line: (Line & { right: number }) | undefined;
  const close = () => {
    const text = line?.text.replaceAll(/[ \u00a0]+/g, ' ').trim() ?? '';
    if (line && text !== '') lines.push({ text, y: line.y, size: line.size });
    line = undefined;
  };
  for (const run of runs) {
    const [a = 1, b = 0, , , x = 0, y = 0] = run.transform;
    const size = Math.hypot(a, b) || run.height || 1;
    if (line && Math.abs(line.y - y) > Math.max(line.size, size) * 0.5 && run.str.trim() !== '')
      close();
    if (line) line.text += gapBefore(line, run, size);
    else line = { text: '', y, size, right: x };
    line.text += run.str;
    line.right = x + run.width;
    if (run.str.trim() !== '') line.size = Math.max(line.size, size);
    if (run.hasEOL) close();
  }
  close();
  return lines;
}

/** A tab between table columns, a space between words. */
function gapBefore(line: { text: string; right: number }, run: TextRun, size: number) {
  const gap = (run.transform[4] ?? 0) - line.right;
  if (gap > size * 3 && run.str.trim() !== '') return '\t';
  const isOpen = line.text !== '' && !/\s$/.test(line.text) && !/^\s/.test(run.str);
  return gap > size * 0.2 && isOpen ? ' ' : '';
}

/** The most common line distance on the page. */
function usualPitch(lines: Line[]): number {
  const steps = lines
    .slice(1)
    .map((line, index) => (lines[index]?.y ?? 0) - line.y)
    .filter((step) => step > 1)
    .toSorted((a, b) => a - b);
  // Below the median, since gaps between paragraphs are larger.
  return steps[Math.floor(steps.length * 0.4)] ?? 0;
}

function isParagraphEnd(above: Line, line: Line, pitch: number): boolean {
  const step = above.y - line.y;
  if (step < 0) return true;
  const size = Math.max(above.size, line.size);
  // Another font size is another kind of text: a heading, a footnote.
  if (Math.abs(above.size - line.size) > size * 0.15) return true;
  return step > Math.max(pitch * 1.25, size * 1.1);
}
