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
import type { Picture, PictureReader } from './ocr.ts';
import { cleanText } from './pageless.ts';
import { joinRuns } from './pdf-lines.ts';
import { encoded, encodePixels, pictured, refuseLarge } from './picture.ts';
import { reasons, Unreadable } from './unreadable.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<Document['getPage']>>;

/** Pages after which the engine drops fonts and images; otherwise 6,000 pages fill the memory. */
const FORGET_EVERY = 200;
/** Pages with less text are read with OCR. */
const LEAST_TEXT = 20;
const FEW_MARKS = 50;
const FEW_WORDS = 5;
/** Dots per inch of pages rendered for OCR. */
const DPI = 200;

const require = createRequire(import.meta.url);

export class PdfPages {
  readonly #document: Document;

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
    // Cleanup fails while another page renders; the next one succeeds.
    if (page % FORGET_EVERY === 0) await this.#document.cleanup().catch(() => undefined);
    const proxy = await this.#document.getPage(page);
    const found = await this.#look(page, proxy);
    // Releases the page's pixels, which are not garbage-collected in time.
    proxy.cleanup();
    if (!found.picture) return { page, text: found.text, marks: [], isScanned: false };
    const recognized = pictured(page, await reader.read(found.picture));
    return recognized.text.trim() === '' ? { ...recognized, text: found.text } : recognized;
  }

  /** The page's text, or the OCR of its image if that has more. */
  async #look(page: number, proxy: PdfPage): Promise<{ text: string; picture?: Picture }> {
    const { items } = await proxy.getTextContent();
    const text = cleanText(joinRuns(items.filter((item) => 'str' in item)));
    if (text.replaceAll(/\s/g, '').length >= LEAST_TEXT || !(await hasPicture(proxy)))
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
    const { data, width: across, height: down } = image;
    const content = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return { content, encode: () => encodePixels(toRgba(image), across, down) };
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
