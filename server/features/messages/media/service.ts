// Attachments of texts.

import { pipeline, Transform } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import type { Content } from '../../../http/content.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { BlobStore } from '../../../integrations/blobs/blob-store.ts';
import { Meter } from '../../../integrations/blobs/meter.ts';
import { toFailure, TwilioFailure } from '../../../integrations/twilio/failure.ts';
import { openMedia } from '../../../integrations/twilio/media.ts';
import type { TwilioConfig } from '../../../config.ts';
import type { NewsService } from '../service.news.ts';
import type { Texting } from '../service.parts.ts';
import * as store from './store.ts';

/** Size limit of an attachment in bytes; Twilio itself accepts 5 MB. */
const LARGEST = 20 * 1024 * 1024;
const HEAD = 4100;
/** Tries; the pause starts at half a minute and doubles. */
const TRIES = 10;
const FIRST_PAUSE = 30;

const shown = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['application/pdf', 'pdf'],
]);

type Parts = Texting & {
  blobs: BlobStore;
  config: TwilioConfig | undefined;
  news: NewsService;
};
type Waiting = Awaited<ReturnType<typeof store.listWaitingMedia>>[number];

/** Fetches and stores attachments for the number's owner. */
export class MediaService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal notFound for another user's attachment, and before it is fetched */
  async read(actor: Actor, id: string): Promise<Content> {
    const row = isId(id) ? await store.findMediaOf(this.#parts.db, actor.id, id) : undefined;
    if (!row) throw notFound('Attachment');
    if (row.state !== 'kept')
      throw new Refusal('notFound', 'Twilio couldn’t deliver this attachment');
    const { mime_type: mimeType } = row;
    const name = `attachment-${row.ordinal + 1}.${shown.get(mimeType) ?? 'bin'}`;
    const read = (range?: { start: number; end: number }) => this.#parts.blobs.read(row.id, range);
    const about = { entity: 'text', entityId: row.message_id } as const;
    return { name, mimeType, isShown: shown.has(mimeType), size: Number(row.size), about, read };
  }

  /** Fetches waiting attachments of one message, or of all. */
  async fetchWaiting(messageId?: string): Promise<void> {
    for (const row of await store.listWaitingMedia(this.#parts.db, messageId)) {
      await store.noteTry(this.#parts.db, row.id, FIRST_PAUSE * 2 ** row.attempts);
      await this.#fetch(row);
    }
  }

  async #fetch(row: Waiting): Promise<void> {
    const { config, log } = this.#parts;
    if (!config) return;
    try {
      const found = await this.#keep(config, row);
      await this.#settle(row, { state: 'kept', ...found });
    } catch (error) {
      const failure = error instanceof TooLarge ? refusedAsTooLarge() : toFailure(error);
      log.warn({ media: row.id, kind: failure.kind }, 'attachment not fetched');
      const isHopeless = failure.kind === 'refused' || row.attempts + 1 >= TRIES;
      if (isHopeless) await this.#settle(row, { state: 'lost' });
    }
  }

  /** The row's id is the key, so that a retry after a crash overwrites the partial file. */
  async #keep(config: TwilioConfig, row: Waiting) {
    const place = { messageSid: row.message_sid ?? '', mediaSid: row.sid };
    const source = await openMedia(config, place);
    const meter = new Meter(HEAD);
    await this.#parts.blobs.write(row.id, pipeline(source, atMost(LARGEST), meter, ignore));
    const kind = await fileTypeFromBuffer(meter.head).catch(() => undefined);
    return { size: meter.size, mime_type: kind?.mime ?? 'application/octet-stream' };
  }

  async #settle(row: Waiting, change: Parameters<typeof store.updateMedia>[2]): Promise<void> {
    await this.#parts.news.change(null, row.message_id, async (_, trx) => {
      await store.updateMedia(trx, row.id, change);
      return {};
    });
  }
}

class TooLarge extends Error {}

/** Fails above the size limit. */
function atMost(bytes: number) {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed > bytes) done(new TooLarge());
      else done(null, chunk);
    },
  });
}

function refusedAsTooLarge() {
  return new TwilioFailure({ kind: 'refused', code: null, words: '', isUncertain: false });
}

// The reader of the last stream handles the error.
const ignore = () => undefined;
