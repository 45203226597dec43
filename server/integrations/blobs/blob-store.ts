import type { Readable } from 'node:stream';

/** First and last byte, both inclusive. */
export type ByteRange = { start: number; end: number };

/** Where the bytes of files are kept. Keys are ours and never hold a person's words. */
export type BlobStore = {
  /**
   * Streams the bytes to durable storage; when it fails nothing stays under the key.
   * @throws StorageFull when there is no room
   */
  write(key: string, source: Readable): Promise<void>;
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Of a key that is not there: nothing happens. */
  remove(key: string): Promise<void>;
  /** @throws when the store does not answer */
  ping(): Promise<void>;
};

export class StorageFull extends Error {}
