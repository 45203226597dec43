import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { finished, Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { type ByteRange, readRange } from '../blobs/blob-store.ts';

/** Bytes that end when all who hold them have released them; `holdBytes` holds them first. */
export type HeldBytes = {
  size: number;
  /** Holds the bytes until the stream has ended. */
  open: (range?: ByteRange) => Readable;
  hold: () => void;
  release: () => Promise<void>;
};

type Options = {
  directory: string;
  /** Limit in bytes. */
  most: number;
  tooLarge: () => Error;
};

/** More bytes are kept in a file. */
const MAX_BYTES_IN_MEMORY = 1024 * 1024;
const PIECE = 64 * 1024;

/** Reads a body; a large one into a file of the directory that has no name, so that nothing is left after a crash. */
export async function holdBytes(
  body: AsyncIterable<Uint8Array>,
  { directory, most, tooLarge }: Options,
): Promise<HeldBytes> {
  const pieces: Uint8Array[] = [];
  let file: HeldFile | undefined;
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      if (size > most) throw tooLarge();
      pieces.push(piece);
      if (size <= MAX_BYTES_IN_MEMORY) continue;
      file ??= await HeldFile.create(directory);
      for (const kept of pieces.splice(0)) await file.append(kept);
    }
  } catch (error) {
    await file?.release();
    throw error;
  }
  return file ?? inMemory(Buffer.concat(pieces));
}

function inMemory(bytes: Buffer): HeldBytes {
  return {
    size: bytes.length,
    open: (range) => readRange(bytes, range),
    hold: () => undefined,
    release: () => Promise.resolve(),
  };
}

class HeldFile implements HeldBytes {
  readonly #handle: FileHandle;
  #uses = 1;
  size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(directory: string): Promise<HeldFile> {
    const name = path.join(directory, `mail-${randomUUID()}`);
    const handle = await open(name, 'wx+', 0o600);
    await unlink(name);
    return new HeldFile(handle);
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#handle.writev([bytes]);
    this.size += bytes.length;
  }

  open(range: ByteRange = { start: 0, end: this.size - 1 }): Readable {
    this.hold();
    const bytes = Readable.from(this.#read(range), { objectMode: false });
    finished(bytes, () => void this.release());
    return bytes;
  }

  /** A stream of the file itself would close it for everyone when one reader leaves early. */
  async *#read({ start, end }: ByteRange): AsyncGenerator<Buffer> {
    for (let at = start; at <= end;) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, end + 1 - at));
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  hold(): void {
    this.#uses += 1;
  }

  async release(): Promise<void> {
    this.#uses -= 1;
    if (this.#uses === 0) await this.#handle.close();
  }
}

/** Size limit in bytes, and milliseconds since the last use. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;
const MAX_AGE_MS = 5 * 60_000;

type Entry = { bytes: HeldBytes };
type CachedRead<T> = { reading: Promise<T> };

/** Cache of recent reads, since images of a mail and pieces of a PDF are requested one by one. */
export class HeldCache<T extends Entry> {
  readonly #kept = new LRUCache<string, CachedRead<T>>({
    maxSize: MAX_CACHE_BYTES,
    ttl: MAX_AGE_MS,
    updateAgeOnGet: true,
    dispose: ({ reading }) => void release(reading),
  });

  /**
   * Parallel callers share one read.
   * @param key includes the grant, so that users never share mails
   * @returns an entry whose bytes the caller holds, and releases
   */
  async take(key: string, read: () => Promise<T>): Promise<T> {
    this.#kept.purgeStale();
    const { reading } = this.#kept.get(key) ?? this.#keep(key, read());
    const isKept = () => this.#kept.peek(key)?.reading === reading;
    try {
      const entry = await reading;
      entry.bytes.hold();
      if (isKept()) this.#keep(key, reading, entry.bytes.size);
      return entry;
    } catch (error) {
      if (isKept()) this.#kept.delete(key);
      throw error;
    }
  }

  #keep(key: string, reading: Promise<T>, size = 0): CachedRead<T> {
    // The cache updates the size of another value alone.
    const kept = { reading };
    this.#kept.set(key, kept, { size: Math.max(size, 1), noDisposeOnSet: true });
    return kept;
  }

  close(): void {
    this.#kept.clear();
  }
}

async function release(reading: Promise<Entry>): Promise<void> {
  // A failed read holds nothing.
  await reading.then(({ bytes }) => bytes.release()).catch(() => undefined);
}
