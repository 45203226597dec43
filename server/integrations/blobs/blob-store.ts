// Storage of file contents, on disk or in S3.

import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';

/** First and last byte, both inclusive. */
export type ByteRange = { start: number; end: number };

/** Reads bytes in memory as a store reads those of a key. */
export function readRange(bytes: Buffer, range?: ByteRange): Readable {
  const { start, end } = range ?? { start: 0, end: bytes.length - 1 };
  return Readable.from([bytes.subarray(start, end + 1)], { objectMode: false });
}

/** Bytes of a disk, and those of them that it can still take. */
export type DiskSpace = { total: number; free: number };

/** Storage for file contents. Keys are generated and never contain user text. */
export type BlobStore = {
  /**
   * Streams the bytes to durable storage; a failed write leaves nothing under the key.
   * @throws StorageFull, StorageAway, or the source's own error
   */
  write(key: string, source: Readable): Promise<void>;
  /** @throws BlobMissing, StorageAway */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Ignores missing keys. @throws StorageAway */
  remove(key: string): Promise<void>;
  /** @throws when the store is unreachable */
  ping(): Promise<void>;
  /** Undefined for a store that is not a disk of this machine. @throws StorageAway */
  measure(): Promise<DiskSpace | undefined>;
};

export class StorageFull extends Error {}

/** The store is unreachable or refuses access. */
export class StorageAway extends Error {}

/** A key of ours that the store lacks. */
export class BlobMissing extends Error {}

/** Counts and hashes a stream and keeps its first bytes. */
export class Meter extends Transform {
  readonly #hash = createHash('sha256');
  readonly #head: Buffer[] = [];
  readonly #headBytes: number;
  #kept = 0;
  size = 0;

  /** @param headBytes number of first bytes to keep */
  constructor(headBytes: number) {
    super();
    this.#headBytes = headBytes;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, out: Buffer) => void) {
    this.#hash.update(chunk);
    this.size += chunk.length;
    if (this.#kept < this.#headBytes) {
      this.#head.push(chunk.subarray(0, this.#headBytes - this.#kept));
      this.#kept += chunk.length;
    }
    done(null, chunk);
  }

  get head(): Buffer {
    return Buffer.concat(this.#head);
  }

  sha256(): Buffer {
    return this.#hash.digest();
  }
}
