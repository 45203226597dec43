import { createRequire } from 'node:module';
import path from 'node:path';
import {
  definePDFJSModule,
  extractImages,
  getDocumentProxy,
  getResolvedPDFJS,
  renderPageAsImage,
} from 'unpdf';
import type { Page } from './messages.ts';
import type { PictureReader } from './ocr.ts';
import { cleanText } from './pageless.ts';
import { joinRuns } from './pdf-lines.ts';
import { encodePixels, pictured, refuseLarge } from './picture.ts';
import { reasons, Unreadable } from './unreadable.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<Document['getPage']>>;

/** Pages after which the engine forgets fonts and images; without it 6,000 pages fill the memory. */
const FORGET_EVERY = 200;
/** A page with less text than this is looked at as a picture. */
const LEAST_TEXT = 20;
const FEW_MARKS = 50;
const FEW_WORDS = 5;
/** Pixels an inch at which pages are drawn to be recognised. */
const DPI = 200;

const require = createRequire(import.meta.url);

export class PdfPages {
  readonly #document: Document;

  private constructor(document: Document) {
    this.#document = document;
  }

  /** @throws Unreadable */
  static async open(bytes: Buffer): Promise<PdfPages> {
    // The engine that unpdf brings has no decoders for fax and JPEG 2000 pictures, which scanners write.
    await definePDFJSModule(() => import('pdfjs-dist/legacy/build/pdf.mjs'));
    try {
      const data = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return new PdfPages(await getDocumentProxy(data, { verbosity: 0, ...resources() }));
    } catch (error) {
      const isLocked = error instanceof Error && error.name === 'PasswordException';
      throw new Unreadable(isLocked ? reasons.encrypted : reasons.broken('a PDF'));
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
    // It refuses while another page is being drawn; the next time will do.
    if (page % FORGET_EVERY === 0) await this.#document.cleanup().catch(() => undefined);
    const proxy = await this.#document.getPage(page);
    const found = await this.#look(page, proxy);
    // The pixels of a page, which nobody else gives back.
    proxy.cleanup();
    if (!found.image) return { page, text: found.text, marks: [], isScanned: false };
    const recognised = pictured(page, await reader.read(found.image));
    return recognised.text.trim() === '' ? { ...recognised, text: found.text } : recognised;
  }

  /** The text of a page, and its picture where that says more. */
  async #look(page: number, proxy: PdfPage): Promise<{ text: string; image?: Buffer }> {
    const { items } = await proxy.getTextContent();
    const text = cleanText(joinRuns(items.filter((item) => 'str' in item)));
    if (text.replaceAll(/\s/g, '').length >= LEAST_TEXT || !(await hasPicture(proxy)))
      return { text };
    return {
      text,
      image: (await this.#scanOf(page, proxy)) ?? (await this.#draw(page, proxy)),
    };
  }

  /** A page that is one upright picture: taking it out is quicker than drawing the page. */
  async #scanOf(page: number, proxy: PdfPage): Promise<Buffer | undefined> {
    const { width, height, rotation } = proxy.getViewport({ scale: 1 });
    if (rotation !== 0) return undefined;
    const images = await extractImages(this.#document, page);
    const [image] = images;
    if (!image || images.length > 1) return undefined;
    const isWholePage = Math.abs(image.width / image.height / (width / height) - 1) < 0.03;
    if (!isWholePage || image.width < 800) return undefined;
    refuseLarge(image);
    return encodePixels(toRgba(image), image.width, image.height);
  }

  async #draw(page: number, proxy: PdfPage): Promise<Buffer> {
    const { width, height } = proxy.getViewport({ scale: 1 });
    // Plans are larger than letters; their lettering is as well.
    const scale = Math.min(DPI / 72, 5000 / Math.max(width, height));
    const png = await renderPageAsImage(this.#document, page, {
      canvasImport: () => import('@napi-rs/canvas'),
      scale,
    });
    return Buffer.from(png);
  }
}

/** True when the page paints what could be letters: a picture, outlines, or a font that says nothing. */
async function hasPicture(proxy: PdfPage): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const pictures = [OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject];
  const { fnArray } = await proxy.getOperatorList();
  if (pictures.some((operator) => fnArray.includes(operator))) return true;
  // A rule and a page number are no letters yet.
  const marks = fnArray.filter((operator) => operator === OPS.constructPath);
  const words = fnArray.filter((operator) => operator === OPS.showText);
  return marks.length > FEW_MARKS || words.length > FEW_WORDS;
}

function toRgba({ data, width, height, channels }: PixelData): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const from = pixel * channels;
    for (let channel = 0; channel < 3; channel += 1)
      rgba[pixel * 4 + channel] = data[from + (channels === 1 ? 0 : channel)] ?? 0;
    rgba[pixel * 4 + 3] = 255;
  }
  return rgba;
}

type PixelData = Awaited<ReturnType<typeof extractImages>>[number];

/** Where the engine finds decoders of the compressions that scanners use, and what PDFs do not bring along. */
function resources() {
  const home = path.dirname(require.resolve('pdfjs-dist/package.json'));
  return {
    wasmUrl: `${home}/wasm/`,
    standardFontDataUrl: `${home}/standard_fonts/`,
    cMapUrl: `${home}/cmaps/`,
    cMapPacked: true,
  };
}
