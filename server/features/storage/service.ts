// How much is stored, by whom, and whether more fits.

import type { Storage } from '@matterdesk/contract/storage.ts';
import { Refusal } from '../../core/refusal.ts';
import { transact } from '../../db/connect.ts';
import type { Database, Transaction } from '../../db/schema.ts';
import type { BlobStore } from '../../integrations/blobs/blob-store.ts';
import type { AccountService } from '../accounts/service.ts';
import * as rules from './rules.ts';
import { Room } from './service.room.ts';
import * as store from './store.ts';

type Parts = {
  db: Database;
  blobs: BlobStore;
  accounts: AccountService;
  /** MAX_STORAGE_GB, in bytes. */
  limit: number | undefined;
};

/** Rolls a reservation back. */
class NoRoom extends Error {}

export class StorageService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async read(): Promise<Storage> {
    const { db, limit } = this.#parts;
    const [use, trash, people, bounds] = await Promise.all([
      store.readUse(db),
      store.readTrash(db),
      store.listPeople(db),
      this.#bounds(),
    ]);
    const left = rules.roomLeft(use, bounds);
    const free = left === undefined ? null : Math.max(0, left);
    return { used: use.used, free, limit: limit ?? null, trash, people };
  }

  /** Whether administrators should make room. */
  async isLow(): Promise<boolean> {
    const [use, bounds] = await Promise.all([store.readUse(this.#parts.db), this.#bounds()]);
    return rules.isLow(use, bounds);
  }

  async #bounds(): Promise<rules.Bounds> {
    const { blobs, limit } = this.#parts;
    return { limit, disk: await blobs.measure() };
  }

  /** For the bytes of one multipart request. @param declared its length, undefined when only its end will tell */
  openRoom(declared: number | undefined): Room {
    return new Room(this, declared);
  }

  /**
   * Commits a reservation of bytes that are about to arrive, if they fit beside all others.
   * @param write writes the reservation
   * @throws Refusal storageFull
   */
  async admit<T>(write: (trx: Transaction) => Promise<T>): Promise<T> {
    const bounds = await this.#bounds();
    if (bounds.limit === undefined && !bounds.disk) return transact(this.#parts.db, write);
    const admission = transact(this.#parts.db, async (trx) => {
      await store.lockAdmissions(trx);
      const written = await write(trx);
      const left = rules.roomLeft(await store.readUse(trx), bounds);
      if (left !== undefined && left < 0) throw new NoRoom();
      return written;
    });
    // The refusal reads the database, which others must not wait for.
    return admission.catch(async (error: unknown) => {
      throw error instanceof NoRoom ? await this.full() : error;
    });
  }

  /** For an upload of which no bytes are kept. @throws Refusal storageFull */
  async requireRoom(bytes: number): Promise<void> {
    const [use, bounds] = await Promise.all([store.readUse(this.#parts.db), this.#bounds()]);
    const left = rules.roomLeft(use, bounds);
    if (left !== undefined && left < bytes) throw await this.full();
  }

  /** @param cause why the store itself took no more, for the log */
  async full(cause?: unknown): Promise<Refusal> {
    const admin = await this.#parts.accounts.nameOfAdmin();
    const message = `The storage is full: ask ${admin} to make room`;
    return new Refusal('storageFull', message, { cause });
  }
}
