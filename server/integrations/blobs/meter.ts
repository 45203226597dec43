import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

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
