import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream';
import type { Database, Transaction } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import { toUploadRefusal, type IncomingFile } from '../../http/upload.ts';
import { StorageAway, StorageFull, type BlobStore } from '../../integrations/blobs/blob-store.ts';
import { Meter } from '../../integrations/blobs/meter.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Left-over bytes that are removed in one transaction. */
const SWEEP = 50;
const STORE_AWAY = 'File storage is unavailable. Try again in a moment.';

export type FileParts = {
  db: Database;
  writer: Writer;
  blobs: BlobStore;
  /** Whose unfinished writes this process may clean up: one name for each DATA_DIR. */
  owner: string;
  maxUploadBytes: number;
};

/** Text fields and files of an upload, in the order in which they come. */
export type IncomingParts = AsyncIterable<{ field: string; value: string } | IncomingFile>;
/** Bytes that are in the store and no file yet. */
export type Stored = { key: string; name: string; size: number; sha256: Buffer; mimeType: string };

/** Bytes on their way into the store: each key is noted before the first of them is written. */
export class Incoming {
  readonly #parts: FileParts;
  /** Keys that are being written now, so that no sweep takes them for what a crash left. */
  readonly #underWay = new Set<string>();

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  /**
   * Stores the bytes of all files, then has `use` make files of them. When anything fails nothing stays.
   * @param placeOf judges the fields, which come first, before any byte is stored
   * @throws Refusal invalidInput, tooLarge, unavailable when there is no room
   */
  async accept<Place, Result>(
    parts: IncomingParts,
    placeOf: (fields: Map<string, string>) => Promise<Place>,
    use: (place: Place, stored: Stored[]) => Promise<Result>,
  ): Promise<Result> {
    const keys: string[] = [];
    try {
      const { place, stored } = await this.#storeAll(parts, placeOf, keys);
      return await use(place, stored);
    } catch (error) {
      await this.#discard(keys);
      throw error;
    } finally {
      for (const key of keys) this.#underWay.delete(key);
    }
  }

  /** @param keys gets the key of each file that is begun */
  async #storeAll<Place>(
    parts: IncomingParts,
    placeOf: (fields: Map<string, string>) => Promise<Place>,
    keys: string[],
  ) {
    const fields = new Map<string, string>();
    const stored: Stored[] = [];
    let found: { place: Place } | undefined;
    for await (const part of parts) {
      if ('field' in part) {
        if (found)
          throw invalidField(part.field.slice(0, 40), 'Text fields must come before files');
        fields.set(part.field, part.value);
      } else {
        found ??= { place: await placeOf(fields) };
        const key = randomUUID();
        keys.push(key);
        this.#underWay.add(key);
        stored.push(await this.#store(key, part));
      }
    }
    if (!found) throw invalidField('attachments', 'Choose a file');
    return { place: found.place, stored };
  }

  async #store(key: string, file: IncomingFile): Promise<Stored> {
    const { db, blobs, owner, maxUploadBytes } = this.#parts;
    const named = rules.nameOf(file.name);
    if ('wrong' in named) throw invalidField('attachments', named.wrong);
    await store.notePending(db, key, owner);
    const meter = new Meter(rules.HEAD_BYTES);
    try {
      await reach(blobs.write(key, pipeline(file.bytes, meter, ignore)));
    } catch (error) {
      throw toUploadRefusal(error);
    }
    if (file.isCut())
      throw new Refusal('tooLarge', `${named.name} is larger than ${maxUploadBytes / 1048576} MB`);
    const mimeType = await rules.kindOf(named.name, meter.head);
    return { key, ...named, size: meter.size, sha256: meter.sha256(), mimeType };
  }

  /** In the transaction that makes files of them. @throws Refusal when somebody's sweep took bytes of theirs */
  async claim(trx: Transaction, stored: Stored[]): Promise<void> {
    const keys = stored.map((file) => file.key);
    if ((await store.takePending(trx, keys)).length < keys.length) throw new Refusal('unexpected');
  }

  /** What never became a file goes; what fails here is swept up later. */
  async #discard(keys: string[]): Promise<void> {
    await this.#removePending((trx) => store.takePending(trx, keys)).catch(ignore);
  }

  /** What is no longer pending, since it became a file after all, stays. */
  async #removePending(take: (trx: Transaction) => Promise<string[]>): Promise<number> {
    return this.#parts.writer.run(null, async ({ trx }) => {
      const keys = await take(trx);
      for (const key of keys) await this.#parts.blobs.remove(key);
      return keys.length;
    });
  }

  /** Removes what a crash left in the store. */
  async sweep(): Promise<void> {
    const { owner } = this.#parts;
    const take = (trx: Transaction) =>
      store.takeLeft(trx, { owner, except: [...this.#underWay], limit: SWEEP });
    while ((await this.#removePending(take)) === SWEEP);
  }
}

// The reader of the last stream hears of the error; here nothing is left to do.
const ignore = () => undefined;

/** What the store says of itself, as a person hears it. */
export async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StorageFull)
      throw new Refusal('unavailable', 'File storage is full', { cause: error });
    if (error instanceof StorageAway)
      throw new Refusal('unavailable', STORE_AWAY, { retryAfter: 2, cause: error });
    throw error;
  }
}
