import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import {
  BlobMissing,
  StorageAway,
  StorageFull,
  type BlobStore,
  type ByteRange,
  type DiskSpace,
} from './blob-store.ts';

/** Files below one directory, written to a temporary name, flushed, then renamed. */
export class DiskBlobStore implements BlobStore {
  readonly #root: string;
  readonly #incoming: string;

  private constructor(root: string) {
    this.#root = root;
    this.#incoming = path.join(root, 'incoming');
  }

  /** Removes partial files that a crash left. */
  static async open(root: string): Promise<DiskBlobStore> {
    const store = new DiskBlobStore(root);
    await fs.rm(store.#incoming, { recursive: true, force: true });
    await fs.mkdir(store.#incoming, { recursive: true, mode: 0o700 });
    return store;
  }

  /** For readers beside the owning process: partial files belong to running writes. */
  static beside(root: string): DiskBlobStore {
    return new DiskBlobStore(root);
  }

  async write(key: string, source: Readable): Promise<void> {
    const aside = path.join(this.#incoming, key);
    try {
      await writeThrough(aside, source);
      await this.#putInPlace(aside, key);
    } catch (error) {
      source.destroy();
      await fs.rm(aside, { force: true });
      await fs.rm(this.#place(key), { force: true });
      throw toFailure(error, source);
    }
  }

  async #putInPlace(aside: string, key: string): Promise<void> {
    const place = this.#place(key);
    const directory = path.dirname(place);
    const made = await fs.mkdir(directory, { recursive: true, mode: 0o700 });
    await fs.rename(aside, place);
    await syncDirectory(directory);
    // Otherwise a power failure could lose the new directory with its contents.
    if (made !== undefined) await syncDirectory(this.#root);
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const handle = await fs.open(this.#place(key), 'r');
      return createReadStream('', { fd: handle, ...range });
    } catch (error) {
      throw codeOf(error) === 'ENOENT'
        ? new BlobMissing(`no bytes under ${key}`)
        : new StorageAway('the disk does not give the bytes', { cause: error });
    }
  }

  async remove(key: string): Promise<void> {
    await fs.rm(this.#place(key), { force: true }).catch((error: unknown) => {
      throw new StorageAway('the disk does not let go of the bytes', { cause: error });
    });
  }

  async ping(): Promise<void> {
    await fs.access(this.#incoming, fs.constants.W_OK).catch((error: unknown) => {
      throw new StorageAway('the directory of files cannot be written to', { cause: error });
    });
  }

  async measure(): Promise<DiskSpace> {
    const { blocks, bavail, bsize } = await fs.statfs(this.#root).catch((error: unknown) => {
      throw new StorageAway('the disk cannot be measured', { cause: error });
    });
    return { total: blocks * bsize, free: bavail * bsize };
  }

  /** Two levels, so that no directory grows without bound. */
  #place(key: string) {
    return path.join(this.#root, key.slice(0, 2), key);
  }
}

async function writeThrough(file: string, source: Readable): Promise<void> {
  const handle = await fs.open(file, 'wx', 0o600);
  try {
    await handle.writeFile(source);
    await handle.sync();
  } finally {
    await handle.close();
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

/** Disk failures have a system error code; other errors come from the source. */
function toFailure(error: unknown, source: Readable): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new StorageFull('the disk is full', { cause: error });
  const isOfDisk = error instanceof Error && 'syscall' in error && error !== source.errored;
  return isOfDisk ? new StorageAway('the disk does not take the bytes', { cause: error }) : error;
}

function codeOf(error: unknown) {
  return (error as { code?: unknown } | null)?.code;
}
