// Bytes on their way into the store. Each key is recorded as pending before its first byte.

import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream';
import { type Context, perContext } from '../../context.ts';
import { invalidField, Refusal } from '../../core/refusal.ts';
import type { Executor, Transaction } from '../../db/schema.ts';
import { type IncomingFile, toUploadRefusal } from '../../http/upload.ts';
import { StorageAway, StorageFull, Meter } from '../../integrations/blobs/blob-store.ts';
import type { Reservation } from '../storage/service.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** Leftover blobs removed per transaction. */
const MAX_SWEPT = 50;
const STORE_UNAVAILABLE = 'File storage is unavailable. Try again in a moment.';

/** Text fields and files of an upload in order of arrival. */
export type IncomingParts = AsyncIterable<{ field: string; value: string } | IncomingFile>;
/** A client’s upload comes with a reservation of its space; files of the server itself have none. */
type IncomingUpload<Place> = {
  parts: IncomingParts;
  /** Validates the fields before any byte is stored. */
  placeOf: (fields: Map<string, string>) => Promise<Place>;
  reservation?: Reservation | undefined;
  /** True if it may come without a file. */
  isOptional?: boolean;
};
/** Stored bytes that are not a file yet. */
export type StoredBlob = {
  key: string;
  name: string;
  size: number;
  sha256: Buffer;
  mimeType: string;
};

const underWayOf = perContext(() => new Set<string>());

/**
 * Stores the bytes of all files, then calls `use` to create the files. A failure leaves nothing.
 * @throws Refusal invalidInput, tooLarge, storageFull
 */
export async function acceptFiles<Place, Result>(
  context: Context,
  sent: IncomingUpload<Place>,
  use: (place: Place, stored: StoredBlob[]) => Promise<Result>,
): Promise<Result> {
  const keys: string[] = [];
  try {
    const { place, stored } = await storeAll(context, sent, keys);
    return await use(place, stored);
  } catch (error) {
    await discardStored(context, keys);
    throw error;
  } finally {
    for (const key of keys) underWayOf(context).delete(key);
  }
}

/** The same for files without text fields. */
export function storeFiles<Result>(
  context: Context,
  sent: Omit<IncomingUpload<null>, 'placeOf'>,
  use: (stored: StoredBlob[]) => Promise<Result>,
): Promise<Result> {
  const placeOf = () => Promise.resolve(null);
  return acceptFiles(context, { ...sent, placeOf }, (_, stored) => use(stored));
}

/** @param keys collects the key of each file */
async function storeAll<Place>(
  context: Context,
  { parts, placeOf, reservation, isOptional = false }: IncomingUpload<Place>,
  keys: string[],
) {
  const fields = new Map<string, string>();
  const stored: StoredBlob[] = [];
  let found: { place: Place } | undefined;
  for await (const part of parts) {
    if ('field' in part) {
      if (found) throw invalidField(part.field.slice(0, 40), 'Text fields must come before files');
      fields.set(part.field, part.value);
    } else {
      found ??= { place: await placeOf(fields) };
      const key = randomUUID();
      keys.push(key);
      underWayOf(context).add(key);
      stored.push(await storeFile(context, { key, file: part, reservation }));
    }
  }
  if (!found && !isOptional) throw invalidField('attachments', 'Choose a file');
  found ??= { place: await placeOf(fields) };
  return { place: found.place, stored };
}

async function storeFile(
  context: Context,
  {
    key,
    file,
    reservation,
  }: { key: string; file: IncomingFile; reservation: Reservation | undefined },
): Promise<StoredBlob> {
  const { db, blobs, owner } = context;
  const { maxUploadBytes } = context.config;
  const named = rules.nameOf(file.name);
  if ('wrong' in named) throw invalidField('attachments', named.wrong);
  const note = (to: Executor, reserved: number) =>
    store.notePending(to, { blob_key: key, owner, reserved });
  await (reservation ? reservation.begin(note) : note(db, 0));
  const meter = new Meter(rules.HEAD_BYTES);
  const bounded = reservation?.meter((trx, more) => store.reserveMore(trx, key, more));
  const stages = bounded ? [file.bytes, bounded, meter] : [file.bytes, meter];
  try {
    const written = blobs.write(key, pipeline(stages, ignore) as Meter);
    await orStorageRefusal(reservation ? reservation.orStorageFull(written) : written);
  } catch (error) {
    throw toUploadRefusal(error);
  }
  if (file.isCut?.())
    throw new Refusal('tooLarge', `${named.name} is larger than ${maxUploadBytes / 1048576} MB`);
  const mimeType = await rules.kindOf(named.name, meter.head);
  return { key, ...named, size: meter.size, sha256: meter.sha256(), mimeType };
}

/**
 * Stores one file by itself, whose key stays pending until it is claimed; `releaseStored` follows in any case.
 * @throws Refusal invalidInput, storageFull, or the error of its bytes
 */
export async function storeIncoming(
  context: Context,
  file: IncomingFile,
  reservation: Reservation,
): Promise<StoredBlob> {
  const key = randomUUID();
  underWayOf(context).add(key);
  try {
    return await storeFile(context, { key, file, reservation });
  } catch (error) {
    await releaseStored(context, [key]);
    throw error;
  }
}

/** Removes those of the bytes that were not claimed. */
export async function releaseStored(context: Context, keys: string[]): Promise<void> {
  await discardStored(context, keys);
  for (const key of keys) underWayOf(context).delete(key);
}

/** In the transaction that creates the files. @throws Refusal when a sweep removed their bytes */
export async function claimStored(trx: Transaction, stored: StoredBlob[]): Promise<void> {
  const keys = stored.map((file) => file.key);
  if ((await store.takePending(trx, keys)).length < keys.length) throw new Refusal('unexpected');
}

/** Removes bytes that never became a file; failures are left to the sweep. */
async function discardStored(context: Context, keys: string[]): Promise<void> {
  await removePending(context, (trx) => store.takePending(trx, keys)).catch(ignore);
}

/** Keeps bytes that are no longer pending, since they became a file. */
async function removePending(
  context: Context,
  take: (trx: Transaction) => Promise<string[]>,
): Promise<number> {
  return context.writer.run(null, async ({ trx }) => {
    const keys = await take(trx);
    for (const key of keys) await context.blobs.remove(key);
    return keys.length;
  });
}

/** Removes crash leftovers from the store. */
export async function sweepPending(context: Context): Promise<void> {
  const { owner } = context;
  const take = (trx: Transaction) =>
    store.takeLeftovers(trx, { owner, except: [...underWayOf(context)], limit: MAX_SWEPT });
  while ((await removePending(context, take)) === MAX_SWEPT);
}

// The reader of the last stream handles the error.
const ignore = () => undefined;

/** Maps the store’s errors to refusals. */
export async function orStorageRefusal<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StorageFull) throw new Refusal('storageFull', undefined, { cause: error });
    if (error instanceof StorageAway)
      throw new Refusal('unavailable', STORE_UNAVAILABLE, { retryAfter: 2, cause: error });
    throw error;
  }
}
