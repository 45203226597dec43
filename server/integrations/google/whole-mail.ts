import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { GoogleFailure } from './failure.ts';

/** A complete mail as Gmail's JSON. Ends when all who hold it release it; `keepMail` holds it first. */
export type WholeMail = {
  size: number;
  open: () => Readable;
  hold: () => void;
  release: () => Promise<void>;
};

/** Size of Gmail's largest mail as JSON, in bytes. */
const MOST = 75 * 1024 * 1024;
/** A mail of more bytes is kept in a file. */
const MOST_IN_MEMORY = 1024 * 1024;

/** Reads a body; a large one into a file of this directory that has no name, so that nothing is left after a crash. */
export async function keepMail(
  body: AsyncIterable<Uint8Array>,
  directory: string,
): Promise<WholeMail> {
  const pieces: Uint8Array[] = [];
  let file: MailFile | undefined;
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      if (size > MOST) throw new GoogleFailure('tooLarge');
      pieces.push(piece);
      if (size <= MOST_IN_MEMORY) continue;
      file ??= await MailFile.create(directory);
      for (const kept of pieces.splice(0)) await file.append(kept);
    }
  } catch (error) {
    await file?.release();
    throw error;
  }
  return file ?? inMemory(Buffer.concat(pieces));
}

function inMemory(bytes: Buffer): WholeMail {
  return {
    size: bytes.length,
    open: () => Readable.from([bytes]),
    hold: () => undefined,
    release: () => Promise.resolve(),
  };
}

class MailFile implements WholeMail {
  readonly #handle: FileHandle;
  #uses = 1;
  size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(directory: string): Promise<MailFile> {
    const name = path.join(directory, `mail-${randomUUID()}`);
    const handle = await open(name, 'wx+', 0o600);
    await unlink(name);
    return new MailFile(handle);
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#handle.writev([bytes]);
    this.size += bytes.length;
  }

  open(): Readable {
    this.hold();
    const bytes = this.#handle.createReadStream({ start: 0, autoClose: false });
    return bytes.once('close', () => void this.release());
  }

  hold(): void {
    this.#uses += 1;
  }

  async release(): Promise<void> {
    this.#uses -= 1;
    if (this.#uses === 0) await this.#handle.close();
  }
}
