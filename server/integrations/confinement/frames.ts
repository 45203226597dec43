/** Bytes of the length prefix. An empty frame ends a task. */
const HEADER_BYTES = 4;

/** Prefixes each part with its length and appends the end. */
export async function* toFrames(
  parts: AsyncIterable<Buffer | string>,
  first: string,
): AsyncGenerator<Uint8Array> {
  yield* frameOf(first);
  for await (const part of parts) if (part.length > 0) yield* frameOf(part);
  yield* frameOf('');
}

/** The length of a part, and the part. */
export function frameOf(part: Uint8Array | string): [Buffer, Uint8Array] {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part;
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt32LE(bytes.length);
  return [head, bytes];
}

export class Frames {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #longest: number;
  #rest: Buffer = Buffer.alloc(0);

  /** @param longest bytes of a frame, against a sender who is not trusted */
  constructor(stream: AsyncIterable<Buffer>, longest = Number.POSITIVE_INFINITY) {
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#longest = longest;
  }

  /**
   * @returns undefined at the end of the stream, no bytes at the end of a task
   * @throws RangeError for a frame that is too long
   */
  async next(): Promise<Buffer | undefined> {
    const head = await this.#take(HEADER_BYTES);
    if (!head) return undefined;
    const length = head.readUInt32LE();
    if (length > this.#longest) throw new RangeError(`a frame of ${length} bytes`);
    return this.#take(length);
  }

  async #take(length: number): Promise<Buffer | undefined> {
    // Filled in place: a large frame and its pieces would be in memory twice.
    const whole = Buffer.allocUnsafe(length);
    for (let at = 0; at < length;) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) return undefined;
        this.#rest = next.value;
      }
      const copied = this.#rest.copy(whole, at);
      this.#rest = this.#rest.subarray(copied);
      at += copied;
    }
    return whole;
  }
}
