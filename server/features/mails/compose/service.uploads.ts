import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream';
import type { Database } from '../../../db/schema.ts';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import { toUploadRefusal, type IncomingFile } from '../../../http/upload.ts';
import type { BlobStore } from '../../../integrations/blobs/blob-store.ts';
import { Meter } from '../../../integrations/blobs/meter.ts';
import { reach } from '../../files/service.incoming.ts';
import type { Room } from '../../storage/service.room.ts';
import type { StorageService } from '../../storage/service.ts';
import { attachmentName } from '../rules.names.ts';
import * as store from './store.ts';

type Parts = { db: Database; blobs: BlobStore; storage: Pick<StorageService, 'openRoom'> };
type Incoming = AsyncIterable<{ field: string; value: string } | IncomingFile>;

/** Stores attachments of mails that are being written. */
export class UploadService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * @param length of the request, if it declares one
   * @throws Refusal invalidInput without a file, tooLarge, storageFull
   */
  async upload(actor: Actor, parts: Incoming, length: number | undefined) {
    const room = this.#parts.storage.openRoom(length);
    let kept: { upload: string; name: string; size: number } | undefined;
    // A second file is refused, and the first expires unsent.
    for await (const part of parts)
      if (!('field' in part)) kept = await this.#store(actor, part, room);
    if (!kept) throw invalidField('attachment', 'Choose a file');
    return kept;
  }

  async #store(actor: Actor, file: IncomingFile, room: Room) {
    const { db, blobs } = this.#parts;
    const name = attachmentName(file.name);
    const key = randomUUID();
    const id = await room.begin((trx, size) =>
      store.insertUpload(trx, { user_id: actor.id, name, blob_key: key, size }),
    );
    const bounded = room.meter((trx, more) => store.reserveMore(trx, id, more));
    const meter = new Meter(0);
    try {
      await reach(room.explain(blobs.write(key, pipeline(file.bytes, bounded, meter, ignore))));
      if (file.isCut()) throw new Refusal('tooLarge', 'The file is too large for an email');
    } catch (error) {
      await this.#remove({ id, blob_key: key }).catch(ignore);
      throw toUploadRefusal(error);
    }
    await store.finishUpload(db, id, meter.size);
    return { upload: id, name, size: meter.size };
  }

  /** Undefined for expired uploads and those of other users. */
  async find({ id: userId }: Actor, id: string) {
    const row = isId(id) ? await store.findUpload(this.#parts.db, { userId, id }) : undefined;
    if (!row) return undefined;
    const read = () => reach(this.#parts.blobs.read(row.blob_key));
    return { name: row.name, size: Number(row.size), read };
  }

  /** Deletes expired uploads. */
  async sweep(): Promise<void> {
    const { db } = this.#parts;
    for (const row of await store.listOldUploads(db)) await this.#remove(row);
    await store.purgeOutgoing(db);
  }

  /** Deletes the bytes before the row, so that the next sweep retries a failure. */
  async #remove({ id, blob_key: key }: { id: string; blob_key: string }): Promise<void> {
    await this.#parts.blobs.remove(key);
    await store.deleteUpload(this.#parts.db, id);
  }
}

// The reader of the last stream handles the error.
const ignore = () => undefined;
