import type { Readable } from 'node:stream';

/** First and last byte, both inclusive. */
export type ByteRange = { start: number; end: number };

/** Where the bytes of files are kept. Keys are ours and never hold a person's words. */
export type BlobStore = {
  /**
   * Streams the bytes to durable storage; when it fails nothing stays under the key.
   * @throws StorageFull, StorageAway, or what the source broke with
   */
  write(key: string, source: Readable): Promise<void>;
  /** @throws BlobMissing, StorageAway */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Of a key that is not there: nothing happens. @throws StorageAway */
  remove(key: string): Promise<void>;
  /** @throws when the store does not answer */
  ping(): Promise<void>;
};

/** There is no room. */
export class StorageFull extends Error {}

/** The store does not answer, or lets nobody in. */
export class StorageAway extends Error {}

/** A key that the store does not know, though we do. */
export class BlobMissing extends Error {}
