// Attachments of mails that are being written.

import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream';
import type { ActorContext, Context } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import { toUploadRefusal, type IncomingFile } from '../../../http/upload.ts';
import { Meter } from '../../../integrations/blobs/blob-store.ts';
import { orStorageRefusal, type IncomingParts } from '../../files/service.incoming.ts';
import { Reservation } from '../../storage/service.ts';
import { attachmentName } from '../rules.ts';
import * as store from './store.ts';

/**
 * @param length the request's declared length, if any
 * @throws Refusal invalidInput without a file, tooLarge, storageFull
 */
export async function uploadAttachments(
  context: ActorContext,
  parts: IncomingParts,
  length: number | undefined,
) {
  const reservation = new Reservation(context, length);
  let kept: { upload: string; name: string; size: number } | undefined;
  // A second file is refused, and the first expires unsent.
  for await (const part of parts)
    if (!('field' in part)) kept = await storeUpload(context, part, reservation);
  if (!kept) throw invalidField('attachment', 'Choose a file');
  return kept;
}

async function storeUpload(context: ActorContext, file: IncomingFile, reservation: Reservation) {
  const { db, blobs } = context;
  const name = attachmentName(file.name);
  const key = randomUUID();
  const id = await reservation.begin((trx, size) =>
    store.insertUpload(trx, { user_id: context.actor.id, name, blob_key: key, size }),
  );
  const bounded = reservation.meter((trx, more) => store.reserveMore(trx, id, more));
  const meter = new Meter(0);
  try {
    await orStorageRefusal(
      reservation.orStorageFull(blobs.write(key, pipeline(file.bytes, bounded, meter, ignore))),
    );
    if (file.isCut?.()) throw new Refusal('tooLarge', 'The file is too large for an email');
  } catch (error) {
    await removeUpload(context, { id, blob_key: key }).catch(ignore);
    throw toUploadRefusal(error);
  }
  await store.finishUpload(db, id, meter.size);
  return { upload: id, name, size: meter.size };
}

/** Undefined for expired uploads and those of other users. */
export async function findUpload(context: ActorContext, id: string) {
  const owned = { userId: context.actor.id, id };
  const row = isId(id) ? await store.findUpload(context.db, owned) : undefined;
  if (!row) return undefined;
  const read = () => orStorageRefusal(context.blobs.read(row.blob_key));
  return { name: row.name, size: Number(row.size), read };
}

/** Deletes expired uploads. */
export async function sweepUploads(context: Pick<Context, 'db' | 'blobs'>): Promise<void> {
  const { db } = context;
  for (const row of await store.listOldUploads(db)) await removeUpload(context, row);
  await store.purgeOutgoing(db);
}

/** Deletes the bytes before the row, so that the next sweep retries a failure. */
async function removeUpload(
  context: Pick<Context, 'db' | 'blobs'>,
  { id, blob_key: key }: { id: string; blob_key: string },
): Promise<void> {
  await context.blobs.remove(key);
  await store.deleteUpload(context.db, id);
}

// The reader of the last stream handles the error.
const ignore = () => undefined;
