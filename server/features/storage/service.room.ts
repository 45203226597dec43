import { Transform } from 'node:stream';
import { Refusal } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import { StorageFull } from '../../integrations/blobs/blob-store.ts';

/** Multipart overhead to allow for while space is tight, in bytes. */
const OVERHEAD = 16_384;
/** Bytes that are reserved at once for a request of unknown length. */
const STEP = 8 * 1024 * 1024;

/** Adds bytes to a file's reservation. */
type Reserve<T> = (trx: Transaction, bytes: number) => Promise<T>;
export type Gate = {
  /** Commits what `write` reserves, if it fits. @throws Refusal storageFull */
  admit: <T>(write: (trx: Transaction) => Promise<T>) => Promise<T>;
  full: (cause: unknown) => Promise<Refusal>;
};

/** Room for the files of one request: reserved as a whole where its length was declared, else while they arrive. */
export class Room {
  readonly #gate: Gate;
  readonly #declared: number | undefined;
  #isOpen = false;
  #reserved = 0;
  #arrived = 0;

  constructor(gate: Gate, declared: number | undefined) {
    this.#gate = gate;
    this.#declared = declared;
  }

  /**
   * Begins a file, before its first byte.
   * @param reserve writes the file's row, with these bytes reserved
   * @throws Refusal storageFull
   */
  async begin<T>(reserve: Reserve<T>): Promise<T> {
    const wanted = this.#isOpen ? 0 : (this.#declared ?? 0);
    this.#isOpen = true;
    // The files themselves are a little less than the request.
    return this.#takeOneOf([wanted, Math.max(0, wanted - OVERHEAD)], reserve);
  }

  /** Passes bytes on as far as there is room for them. @param reserve adds bytes to the file's reservation */
  meter(reserve: Reserve<void>): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#arrived += chunk.length;
        const missing = this.#arrived - this.#reserved;
        if (missing <= 0) done(null, chunk);
        else
          this.#takeOneOf([Math.max(missing, STEP), missing], reserve).then(
            () => done(null, chunk),
            (error: Error) => done(error),
          );
      },
    });
  }

  /** Refuses a write in the same words when the store itself takes no more. */
  async explain(write: Promise<void>): Promise<void> {
    await write.catch(async (error: unknown) => {
      throw error instanceof StorageFull ? await this.#gate.full(error) : error;
    });
  }

  /** Reserves the first of two amounts, or the second where the first does not fit. */
  async #takeOneOf<T>([first, second]: [number, number], reserve: Reserve<T>): Promise<T> {
    try {
      return await this.#take(first, reserve);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'storageFull' || second === first)
        throw error;
      return this.#take(second, reserve);
    }
  }

  async #take<T>(bytes: number, reserve: Reserve<T>): Promise<T> {
    const written = await this.#gate.admit((trx) => reserve(trx, bytes));
    this.#reserved += bytes;
    return written;
  }
}
