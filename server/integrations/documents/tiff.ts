import utif, { type IFD } from 'utif2';
import type { Page } from './messages.ts';
import type { PictureReader } from './ocr.ts';
import { encodePixels, pictured, refuseLarge } from './picture.ts';
import { reasons, Unreadable } from './unreadable.ts';

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
    if (this.#frames.length === 0) throw new Unreadable(reasons.broken('a TIFF picture'));
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
    const rgba = new Uint8ClampedArray(utif.toRGBA8(frame));
    const encode = () => encodePixels(rgba, frame.width, frame.height);
    // Otherwise every page would stay in memory.
    delete (frame as Partial<IFD>).data;
    return pictured(page, await reader.read({ content: new Uint8Array(rgba.buffer), encode }));
  }
}

function widthOf(frame: IFD) {
  return tag(frame, 't256');
}

function tag(frame: IFD, name: string): number {
  const value = frame[name];
  return Array.isArray(value) && typeof value[0] === 'number' ? value[0] : 0;
}
