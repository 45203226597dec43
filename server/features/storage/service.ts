// How much is stored, by whom, and whether more fits.

import type { Storage } from '@matterdesk/contract/storage.ts';
import type { Context } from '../../context.ts';
import { Refusal } from '../../core/refusal.ts';
import { transact } from '../../db/connect.ts';
import type { Transaction } from '../../db/schema.ts';
import { nameOfAdmin } from '../accounts/service.ts';
import * as rules from './rules.ts';
import { type Gate, Room } from './service.room.ts';
import * as store from './store.ts';

/** Rolls a reservation back. */
class NoRoom extends Error {}

export async function readStorage(context: Context): Promise<Storage> {
  const { db } = context;
  const limit = context.config.maxStorageBytes;
  const [use, trash, people, bounds] = await Promise.all([
    store.readUse(db),
    store.readTrash(db),
    store.listPeople(db),
    storageBounds(context),
  ]);
  const left = rules.roomLeft(use, bounds);
  const free = left === undefined ? null : Math.max(0, left);
  return { used: use.used, free, limit: limit ?? null, trash, people };
}

/** Whether administrators should make room. */
export async function isStorageLow(context: Context): Promise<boolean> {
  const [use, bounds] = await Promise.all([store.readUse(context.db), storageBounds(context)]);
  return rules.isLow(use, bounds);
}

async function storageBounds(context: Context): Promise<rules.Bounds> {
  return { limit: context.config.maxStorageBytes, disk: await context.blobs.measure() };
}

/** For the bytes of one multipart request. @param declared its length, undefined when only its end will tell */
export function openReservation(context: Context, declared: number | undefined): Room {
  const gate: Gate = {
    admit: (write) => admitUpload(context, write),
    full: (cause) => storageFull(context, cause),
  };
  return new Room(gate, declared);
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
    const left = rules.roomLeft(await store.readUse(trx), bounds);
    if (left !== undefined && left < 0) throw new NoRoom();
    return written;
  });
  // The refusal reads the database, which others must not wait for.
  return admission.catch(async (error: unknown) => {
    throw error instanceof NoRoom ? await storageFull(context) : error;
  });
}

/** For an upload of which no bytes are kept. @throws Refusal storageFull */
export async function requireStorageSpace(context: Context, bytes: number): Promise<void> {
  const [use, bounds] = await Promise.all([store.readUse(context.db), storageBounds(context)]);
  const left = rules.roomLeft(use, bounds);
  if (left !== undefined && left < bytes) throw await storageFull(context);
}

/** @param cause why the store itself took no more, for the log */
async function storageFull(context: Context, cause?: unknown): Promise<Refusal> {
  const admin = await nameOfAdmin(context);
  const message = `The storage is full: ask ${admin} to make room`;
  return new Refusal('storageFull', message, { cause });
}
