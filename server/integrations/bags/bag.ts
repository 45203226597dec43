import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { type PassThrough, pipeline, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Meter } from '../blobs/blob-store.ts';

export type PayloadFile = {
  /** Below data/, as given by names.ts, with `/`. */
  path: string;
  /** Bytes; an estimate is enough for generated files. */
  size: number;
  at: Date;
  open: () => Promise<Readable>;
};

/** A bag of BagIt 1.0 (RFC 8493), in one volume or several. */
export type Bag = {
  /** Name of the top folder and of the volumes ('Abara v. Meridian 2026-11-27'); safe already. */
  name: string;
  payload: readonly PayloadFile[];
  /**
   * Payload bytes per volume; 4,000,000,000 without it. A larger file has a volume of its own, and a volume never has
   * more than 25,000 files.
   */
  volumeBytes?: number;
  /** Further lines of bag-info.txt, asked for once the volume's payload is written. */
  info: () => Readonly<Record<string, string>>;
  at: Date;
  signal: AbortSignal;
};

/** A zip, itself a whole bag below one folder. */
export type Volume = { name: string; bytes: Readable };

export type WrittenBag = {
  /** Files and bytes of the payload. */
  files: number;
  bytes: number;
  /** Bytes of each file by its path. */
  sizes: ReadonlyMap<string, number>;
  /** SHA-256 of each volume's manifest, hexadecimal. */
  manifests: string[];
  /** SHA-256 of all manifests, one after the other. */
  manifestSha256: string;
};

const VOLUME_BYTES = 4_000_000_000;
/** A zip keeps all its entries in memory until it ends, about 1 kB for each. */
const MAX_FILES = 25_000;
const MANIFEST = 'manifest-sha256.txt';
const TAG_MANIFEST = 'tagmanifest-sha256.txt';
const DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
/** Characters per line of bag-info.txt that the RFC recommends. */
const MAX_LINE_LENGTH = 79;
/** Keeps a manifest of many files from being one long text in memory. */
const LINES_AT_ONCE = 500;

/**
 * Read the volumes one after the other, each to its end. A file that fails, or an abort, destroys the volume that is
 * being read, and `written` is refused; it settles once the reading of volumes has ended.
 */
export function writeBag(bag: Bag): {
  volumes: AsyncGenerator<Volume>;
  written: Promise<WrittenBag>;
} {
  const written = Promise.withResolvers<WrittenBag>();
  // Callers that fail on a volume do not come to await this.
  written.promise.catch(() => undefined);
  return { volumes: writeVolumes(bag, written), written: written.promise };
}

async function* writeVolumes(
  bag: Bag,
  written: PromiseWithResolvers<WrittenBag>,
): AsyncGenerator<Volume> {
  const parts = partition(bag.payload, bag.volumeBytes ?? VOLUME_BYTES);
  const all = createHash('sha256');
  const manifests: string[] = [];
  const sizes = new Map<string, number>();
  const total = { files: bag.payload.length, bytes: 0 };
  let open: ZippedBag | undefined;
  try {
    for (const [index, payload] of parts.entries()) {
      bag.signal.throwIfAborted();
      const count = `${index + 1} of ${parts.length}`;
      const title = parts.length === 1 ? bag.name : `${bag.name} ${count}`;
      const group = parts.length > 1 && { 'Bag-Group-Identifier': bag.name };
      const info = () => ({ 'Bag-Count': count, ...group, ...bag.info() });
      open = new ZippedBag({ ...bag, payload, info }, { title, manifests: all });
      yield { name: `${title}.zip`, bytes: open.bytes };
      open.assertRead();
      total.bytes += open.payloadBytes;
      manifests.push(open.manifestSha256);
      for (const { path: name, size } of open.payload) sizes.set(name, size);
      open = undefined;
    }
    written.resolve({ ...total, sizes, manifests, manifestSha256: all.digest('hex') });
  } catch (error) {
    written.reject(error);
    throw error;
  } finally {
    // After the last volume there is nothing left to close, and the promise has settled. A reader that a volume failed
    // leaves as well.
    const left = open?.bytes.errored ?? new Error('the reading of volumes ended before the last');
    open?.fail(left);
    written.reject(left);
  }
}

/** Keeps the order. */
function partition(payload: readonly PayloadFile[], volumeBytes: number): PayloadFile[][] {
  let last: PayloadFile[] = [];
  let filled = 0;
  const volumes = [last];
  for (const file of payload) {
    const isFull = last.length === MAX_FILES || filled + file.size > volumeBytes;
    if (isFull && last.length > 0) {
      last = [];
      filled = 0;
      volumes.push(last);
    }
    last.push(file);
    filled += file.size;
  }
  return volumes;
}

type Entry = { path: string; at: Date; open: () => Readable | Promise<Readable> };

/** Files that were written, as a manifest lists them. */
type ListedFiles = {
  /** Before each path. */
  folder: string;
  files: { path: string; sha256: string; size: number }[];
  bytes: number;
};

/** One volume. Its files are opened one after the other while `bytes` is read. */
class ZippedBag {
  readonly bytes: PassThrough;
  readonly #bag: Bag;
  /** Name of the top folder. */
  readonly #title: string;
  /** Takes the manifests of all volumes. */
  readonly #manifests: Hash;
  readonly #zip = new ZipFile();
  readonly #payload: ListedFiles = { folder: 'data/', files: [], bytes: 0 };
  readonly #tags: ListedFiles = { folder: '', files: [], bytes: 0 };
  #source: Readable | undefined;

  constructor(bag: Bag, { title, manifests }: { title: string; manifests: Hash }) {
    this.#bag = bag;
    this.#title = title;
    this.#manifests = manifests;
    this.bytes = this.#zip.outputStream as PassThrough;
    this.#zip.on('error', (error: unknown) => this.fail(error));
    const abort = () => this.fail(bag.signal.reason);
    bag.signal.addEventListener('abort', abort, { once: true });
    // A volume may fail before anyone listens; a later reader still receives the error.
    this.bytes.on('error', () => undefined);
    this.bytes.once('close', () => {
      bag.signal.removeEventListener('abort', abort);
      this.#source?.destroy();
    });
    try {
      this.#addAll();
      this.#zip.end();
    } catch (error) {
      this.fail(error);
    }
  }

  get payloadBytes(): number {
    return this.#payload.bytes;
  }

  get payload(): readonly { path: string; size: number }[] {
    return this.#payload.files;
  }

  get manifestSha256(): string {
    return this.#tags.files.find((tag) => tag.path === MANIFEST)?.sha256 ?? '';
  }

  /** Closes the open file. Without effect after the end. */
  fail(cause: unknown): void {
    this.bytes.destroy(cause instanceof Error ? cause : new Error('stopped', { cause }));
  }

  assertRead(): void {
    if (this.bytes.errored !== null) throw this.bytes.errored;
    if (!this.bytes.readableEnded) throw new Error(`${this.#title} was not read to its end`);
  }

  #addAll(): void {
    const { payload, at } = this.#bag;
    this.#addTag('bagit.txt', () => Readable.from([Buffer.from(DECLARATION)]));
    if (payload.length === 0)
      this.#zip.addEmptyDirectory(`${this.#title}/data`, { mtime: at, mode: 0o40755 });
    for (const file of payload) this.#add(file, this.#payload);
    this.#addTag(MANIFEST, () => Readable.from(this.#manifest()));
    // After the manifest, whose hash it holds.
    this.#addTag('bag-info.txt', () => Readable.from([Buffer.from(this.#info())]));
    for (const name of ['verify.html', 'verify.mjs'])
      this.#addTag(name, () => createReadStream(path.join(import.meta.dirname, name)));
    this.#addTag(TAG_MANIFEST, () => Readable.from(linesOf(this.#tags)));
  }

  #addTag(name: string, open: () => Readable): void {
    this.#add({ path: name, at: this.#bag.at, open }, this.#tags);
  }

  #add(entry: Entry, list: ListedFiles): void {
    const options = { mtime: entry.at, mode: 0o100644, compress: false };
    this.#zip.addReadStreamLazy(`${this.#title}/${list.folder}${entry.path}`, options, (give) => {
      this.#open(entry, list)
        .then((meter) => give(null, meter))
        .catch((error: unknown) => this.fail(error));
    });
  }

  async #open({ path, open }: Entry, list: ListedFiles): Promise<Readable> {
    const source = await open();
    // Errors of a source that was given up end here, and with the rest in the pipeline.
    source.on('error', () => undefined);
    if (this.bytes.destroyed) source.destroy();
    this.#source = source;
    const meter = new Meter(0);
    // Before the zip sees the end and opens the next file, which may be the manifest.
    meter.once('end', () => {
      const { size } = meter;
      list.files.push({ path, size, sha256: meter.sha256().toString('hex') });
      list.bytes += size;
    });
    pipeline(source, meter, (error) => {
      if (error) this.fail(error);
    });
    return meter;
  }

  *#manifest(): Generator<Buffer> {
    for (const lines of linesOf(this.#payload)) {
      this.#manifests.update(lines);
      yield lines;
    }
  }

  #info(): string {
    const lines = {
      'Bagging-Date': this.#bag.at.toISOString().slice(0, 10),
      'Payload-Oxum': `${this.#payload.bytes}.${this.#payload.files.length}`,
      ...this.#bag.info(),
      'Manifest-SHA256': this.manifestSha256,
    };
    return Object.entries(lines)
      .map(([label, value]) => foldedLine(label, value))
      .join('');
  }
}

function* linesOf({ folder, files }: ListedFiles): Generator<Buffer> {
  for (let from = 0; from < files.length; from += LINES_AT_ONCE) {
    const lines = files
      .slice(from, from + LINES_AT_ONCE)
      .map(({ path, sha256 }) => `${sha256}  ${folder}${encoded(path)}\n`);
    yield Buffer.from(lines.join(''));
  }
}

/** Line breaks and percent signs, and only those (RFC 8493, 2.1.3). */
function encoded(path: string): string {
  return path.replaceAll('%', '%25').replaceAll('\n', '%0A').replaceAll('\r', '%0D');
}

/** Folds between words; a longer word keeps its line. */
function foldedLine(label: string, value: string): string {
  const lines = [`${label}:`];
  for (const [index, word] of value.trim().split(/\s+/).entries()) {
    const line = `${lines.at(-1)} ${word}`;
    if (index === 0 || line.length <= MAX_LINE_LENGTH) lines.splice(-1, 1, line);
    else lines.push(`  ${word}`);
  }
  return `${lines.join('\n')}\n`;
}
