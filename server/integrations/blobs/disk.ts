import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { StorageFull, type BlobStore, type ByteRange } from './blob-store.ts';

/** Files below one directory: written aside, forced to the disk, then put in place by a rename. */
export class DiskBlobStore implements BlobStore {
  readonly #root: string;
  readonly #incoming: string;

  private constructor(root: string) {
    this.#root = root;
    this.#incoming = path.join(root, 'incoming');
  }

  /** What a crash left half written goes. */
  static async open(root: string): Promise<DiskBlobStore> {
    const store = new DiskBlobStore(root);
    await fs.rm(store.#incoming, { recursive: true, force: true });
    await fs.mkdir(store.#incoming, { recursive: true, mode: 0o700 });
    return store;
  }

  /** For reading beside the process that owns the directory: what is half written there is on its way. */
  static beside(root: string): DiskBlobStore {
    return new DiskBlobStore(root);
  }

  async write(key: string, source: Readable): Promise<void> {
    const aside = path.join(this.#incoming, key);
    const place = this.#place(key);
    try {
      const handle = await fs.open(aside, 'wx', 0o600);
      try {
        await handle.writeFile(source);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      await fs.rename(aside, place);
      await syncDirectory(path.dirname(place));
    } catch (error) {
      await fs.rm(aside, { force: true });
      throw isFull(error) ? new StorageFull('the disk is full', { cause: error }) : error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const handle = await fs.open(this.#place(key), 'r');
    return createReadStream('', { fd: handle, ...range });
  }

  async remove(key: string): Promise<void> {
    await fs.rm(this.#place(key), { force: true });
  }

  async ping(): Promise<void> {
    await fs.access(this.#incoming, fs.constants.W_OK);
  }

  /** Two levels, so that no directory grows without bound. */
  #place(key: string) {
    return path.join(this.#root, key.slice(0, 2), key);
  }
}

async function syncDirectory(directory: string) {
  const handle = await fs.open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isFull(error: unknown) {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
}
