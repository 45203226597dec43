import { createCanvas, ImageData, loadImage } from '@napi-rs/canvas';
import utif, { type IFD } from 'utif2';
import { type Page, reasons, UnreadableDocument } from './messages.ts';
import type { Picture, PictureReader } from './ocr.ts';
import { cleanText } from './pageless.ts';

/** Pixel limit of an image: A2 at 300 dpi. */
const MAX_PIXELS = 40_000_000;
/** Longer sides do not improve OCR. */
const MAX_SIDE_PIXELS = 3500;
/** Bytes, and pixels of the shorter side, below which an image in a mail has no text. */
const MIN_BYTES = 5000;
const MIN_SIDE_PIXELS = 200;
const OPAQUE = 255;

/** The single page of an image file. */
export async function readPicture(bytes: Buffer, reader: PictureReader): Promise<Page> {
  refuseLarge(sizeOf(bytes));
  let png: Buffer;
  try {
    const image = await loadImage(bytes);
    png = fit(image, image.width, image.height);
  } catch {
    throw new UnreadableDocument(reasons.broken('a picture'));
  }
  return pictured(1, await reader.read(encoded(png)));
}

/** A PNG or JPEG as it is. */
export function encoded(image: Buffer): Picture {
  return { content: image, encode: () => image };
}

/** True for logos, rules and dots, which decorate mails. */
export function isDecoration(bytes: Buffer): boolean {
  const size = sizeOf(bytes);
  return (
    bytes.length < MIN_BYTES ||
    (size !== undefined && Math.min(...Object.values(size)) < MIN_SIDE_PIXELS)
  );
}

/** Raw pixels: shades of gray, red, green and blue, or these with their opacity; a byte each. */
export type Pixels = {
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
};

/** On white, no larger than needed. */
export function encodePixels(pixels: Pixels): Buffer {
  const { width, height } = pixels;
  if (Math.max(width, height) <= MAX_SIDE_PIXELS && isColorless(pixels)) return writeGray(pixels);
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').putImageData(new ImageData(toRgba(pixels), width, height), 0, 0);
  return fit(canvas, width, height);
}

export function refuseLarge(size: { width: number; height: number } | undefined): void {
  if (size && size.width * size.height > MAX_PIXELS)
    throw new UnreadableDocument('The image is too large to read. Scan it at 300 dpi or less.');
}

export function pictured(page: number, text: string): Page {
  return { page, text: cleanText(text), marks: [], isScanned: true };
}

/**
 * A portable gray map (Netpbm), which is written in a twentieth of the time that a PNG takes. Uncompressed colors would be
 * larger than what another process takes.
 */
function writeGray({ data, width, height, channels }: Pixels): Buffer {
  const header = Buffer.from(`P5\n${width} ${height}\n${OPAQUE}\n`);
  const bytes = Buffer.alloc(header.length + width * height, OPAQUE);
  header.copy(bytes);
  for (let pixel = 0, at = header.length; pixel < width * height; pixel += 1, at += 1) {
    const shade = data[pixel * channels] ?? OPAQUE;
    const alpha = channels === 4 ? data[pixel * 4 + 3] : OPAQUE;
    bytes[at] = alpha === OPAQUE ? shade : onWhite(shade, alpha ?? OPAQUE);
  }
  return bytes;
}

function onWhite(shade: number, alpha: number): number {
  return OPAQUE - Math.round(((OPAQUE - shade) * alpha) / OPAQUE);
}

function isColorless({ data, channels }: Pixels): boolean {
  if (channels === 1) return true;
  for (let at = 0; at < data.length; at += channels)
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
  return true;
}

function toRgba({ data, width, height, channels }: Pixels): Uint8ClampedArray {
  if (channels === 4) return new Uint8ClampedArray(data);
  const rgba = new Uint8ClampedArray(width * height * 4).fill(OPAQUE);
  const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const from = pixel * channels;
    rgba[pixel * 4] = data[from] ?? 0;
    rgba[pixel * 4 + 1] = data[from + green] ?? 0;
    rgba[pixel * 4 + 2] = data[from + blue] ?? 0;
  }
  return rgba;
}

/** On white, no larger than needed. */
function fit(image: Parameters<CanvasContext['drawImage']>[0], width: number, height: number) {
  const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(width, height));
  const canvas = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toBuffer('image/png');
}

type CanvasContext = ReturnType<ReturnType<typeof createCanvas>['getContext']>;

/** Width and height from the header of a PNG or JPEG, before decoding. */
function sizeOf(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Pages of a TIFF, as fax machines and scanners write it. */
export class TiffPages {
  readonly #bytes: Buffer;
  readonly #frames: IFD[];

  /** @throws Unreadable */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    try {
      // Frames without a width are thumbnails or metadata.
      this.#frames = utif.decode(bytes).filter((frame) => widthOf(frame) > 0);
    } catch {
      this.#frames = [];
    }
    if (this.#frames.length === 0) throw new UnreadableDocument(reasons.broken('a TIFF picture'));
  }

  get count(): number {
    return this.#frames.length;
  }

  /** @param page from 1 */
  async read(page: number, reader: PictureReader): Promise<Page> {
    const frame = this.#frames[page - 1];
    if (!frame) throw new RangeError(`no page ${page}`);
    refuseLarge({ width: widthOf(frame), height: tag(frame, 't257') });
    utif.decodeImage(this.#bytes, frame);
    const { width, height } = frame;
    const data = utif.toRGBA8(frame);
    const encode = () => encodePixels({ data, width, height, channels: 4 });
    // Otherwise every page would stay in memory.
    delete (frame as Partial<IFD>).data;
    return pictured(page, await reader.read({ content: data, encode }));
  }
}

function widthOf(frame: IFD) {
  return tag(frame, 't256');
}

function tag(frame: IFD, name: string): number {
  const value = frame[name];
  return Array.isArray(value) && typeof value[0] === 'number' ? value[0] : 0;
}
