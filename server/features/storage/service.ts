// The use of the storage, and reservations for uploads.

import { Transform } from 'node:stream';
import type { Storage } from '@matterdesk/contract/storage.ts';
import { type Context, slot } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import { transact } from '../../db/connect.ts';
import type { Transaction } from '../../db/schema.ts';
import { StorageFull } from '../../integrations/blobs/blob-store.ts';
import { nameOfAdmin } from '../accounts/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Rolls a reservation back. */
class DoesNotFit extends Error {}

/** Multipart overhead to allow for while space is tight, in bytes. */
const OVERHEAD_BYTES = 16_384;
/** Bytes that are reserved at once for a request of unknown length. */
const STEP_BYTES = 8 * 1024 * 1024;

/** Adds bytes to a file's reservation. */
type Reserve<T> = (trx: Transaction, bytes: number) => Promise<T>;

/** Space for the files of one request: reserved as a whole where its length was declared, else while they arrive. */
export class Reservation {
  readonly #context: Context;
  readonly #declared: number | undefined;
  #isOpen = false;
  #reserved = 0;
  #arrived = 0;

  /** @param declared the length of the request, undefined if it does not declare one */
  constructor(context: Context, declared: number | undefined) {
    this.#context = context;
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
    return this.#takeOneOf([wanted, Math.max(0, wanted - OVERHEAD_BYTES)], reserve);
  }

  /** Passes bytes on as long as they fit. @param reserve adds bytes to the file's reservation */
  meter(reserve: Reserve<void>): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#arrived += chunk.length;
        const missing = this.#arrived - this.#reserved;
        if (missing <= 0) done(null, chunk);
        else
          this.#takeOneOf([Math.max(missing, STEP_BYTES), missing], reserve).then(
            () => done(null, chunk),
            (error: Error) => done(error),
          );
      },
    });
  }

  /** Refuses a write in the same words when the store itself takes no more. */
  async orStorageFull(write: Promise<void>): Promise<void> {
    await write.catch(async (error: unknown) => {
      throw error instanceof StorageFull ? await storageFull(this.#context, error) : error;
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
    const written = await admitUpload(this.#context, (trx) => reserve(trx, bytes));
    this.#reserved += bytes;
    return written;
  }
}

/** New matters and names that wait for their conflict check. */
export const waitingChecks = slot<() => Promise<{ cases: number; names: number }>>();

export async function readStorage(context: Context): Promise<Storage> {
  const { db } = context;
  const limit = context.config.maxStorageBytes;
  const [use, trash, people, bounds, waiting] = await Promise.all([
    store.readUse(db),
    store.readTrash(db),
    store.listPeople(db),
    storageBounds(context),
    waitingChecks.of(context)(),
  ]);
  const left = rules.bytesLeft(use, bounds);
  const free = left === undefined ? null : Math.max(0, left);
  return { used: use.used, free, limit: limit ?? null, trash, people, waiting };
}

/** True if administrators should free space. */
export async function isStorageLow(context: Context): Promise<boolean> {
  const [use, bounds] = await Promise.all([store.readUse(context.db), storageBounds(context)]);
  return rules.isLow(use, bounds);
}

/** Checks the space for an upload whose bytes are not kept. @throws Refusal storageFull */
export async function requireStorageSpace(context: Context, bytes: number): Promise<void> {
  const [use, bounds] = await Promise.all([store.readUse(context.db), storageBounds(context)]);
  const left = rules.bytesLeft(use, bounds);
  if (left !== undefined && left < bytes) throw await storageFull(context);
}

async function storageBounds(context: Context): Promise<rules.Bounds> {
  return { limit: context.config.maxStorageBytes, disk: await context.blobs.measure() };
}

/**
 * Commits a reservation of bytes that are about to arrive, if they fit beside all others.
 * @param write writes the reservation
 * @throws Refusal storageFull
 */
async function admitUpload<T>(
  context: Context,
  write: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const bounds = await storageBounds(context);
  if (bounds.limit === undefined && !bounds.disk) return transact(context.db, write);
  const admission = transact(context.db, async (trx) => {
    await store.lockAdmissions(trx);
    const written = await write(trx);
    const left = rules.bytesLeft(await store.readUse(trx), bounds);
    if (left !== undefined && left < 0) throw new DoesNotFit();
    return written;
  });
  // The refusal reads the database, which others must not wait for.
  return admission.catch(async (error: unknown) => {
    throw error instanceof DoesNotFit ? await storageFull(context) : error;
  });
}

/** @param cause why the store itself took no more, for the log */
async function storageFull(context: Context, cause?: unknown): Promise<Refusal> {
  const admin = await nameOfAdmin(context);
  const message = `The storage is full: ask ${admin} to make room`;
  return new Refusal('storageFull', message, { cause });
}
