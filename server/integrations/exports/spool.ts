// Bytes that are read once and asked for in parts later, such as those of an .mbox in a zip.

import { close, open as openFd, read as readFd, unlink, write as writeFd } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

const PIECE = 64 * 1024;
const read = promisify(readFd);
const write = promisify(writeFd);

/** Closes the files of spools that no row refers to any more. */
const unused = new FinalizationRegistry((fd: number) => close(fd));

/** A file without a name, which ends with its last reader. */
export class Spool {
  readonly #fd: number;
  #size = 0;

  private constructor(fd: number) {
    this.#fd = fd;
    unused.register(this, fd);
  }

  static async open(): Promise<Spool> {
    const folder = await mkdtemp(path.join(tmpdir(), 'matterdesk-import-'));
    const file = path.join(folder, 'spool');
    const fd = await promisify(openFd)(file, 'wx+', 0o600);
    await promisify(unlink)(file);
    await rmdir(folder);
    return new Spool(fd);
  }

  async write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await write(this.#fd, bytes, done, bytes.length - done, this.#size);
      done += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  read(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const piece = Buffer.alloc(Math.min(PIECE, end - at));
      const { bytesRead } = await read(this.#fd, piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}
