// Attachments of texts.

import { pipeline, Transform } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';
import type { TwilioConfig } from '../../../config.ts';
import { type ActorContext, asActor, type Context } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import type { Content } from '../../../http/content.ts';
import { Meter } from '../../../integrations/blobs/blob-store.ts';
import { toFailure, TwilioFailure } from '../../../integrations/twilio/failure.ts';
import { openMedia } from '../../../integrations/twilio/media.ts';
import { changeMessage } from '../service.ingest.ts';
import * as store from '../store.ts';

/** Size limit of an attachment in bytes; Twilio itself accepts 5 MB. */
const MAX_BYTES = 20 * 1024 * 1024;
/** First bytes, which show the type. */
const HEAD_BYTES = 4100;
/** Attempts, and seconds until the second one; each pause is twice the last. */
const MAX_TRIES = 10;
const FIRST_PAUSE_SECONDS = 30;

/** Types that browsers show, with their extensions. */
const extensionsByType = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['application/pdf', 'pdf'],
]);

type WaitingMedia = Awaited<ReturnType<typeof store.listWaitingMedia>>[number];

/** @throws Refusal notFound for another user's attachment unless it is filed to a visible matter, and before it is fetched */
export async function readMedia(context: ActorContext, id: string): Promise<Content> {
  const row = isId(id)
    ? await store.findMediaOf(asActor(context), context.actor.id, id)
    : undefined;
  if (!row) throw notFound('Attachment');
  if (row.state !== 'kept')
    throw new Refusal('notFound', 'Twilio couldn’t deliver this attachment');
  const { mime_type: mimeType } = row;
  const name = `attachment-${row.ordinal + 1}.${extensionsByType.get(mimeType) ?? 'bin'}`;
  const read = (range?: { start: number; end: number }) => context.blobs.read(row.id, range);
  const about = { entity: 'text', entityId: row.message_id } as const;
  return {
    name,
    mimeType,
    isShown: extensionsByType.has(mimeType),
    size: Number(row.size),
    about,
    read,
  };
}

/** Fetches waiting attachments of one message, or of all. */
export async function fetchWaitingMedia(context: Context, messageId?: string): Promise<void> {
  for (const row of await store.listWaitingMedia(context.db, messageId)) {
    await store.noteTry(context.db, row.id, FIRST_PAUSE_SECONDS * 2 ** row.attempts);
    await fetchMedia(context, row);
  }
}

async function fetchMedia(context: Context, row: WaitingMedia): Promise<void> {
  const { log } = context;
  const config = context.config.twilio;
  if (!config) return;
  try {
    const found = await storeMedia(context, config, row);
    await settleMedia(context, row, { state: 'kept', ...found });
  } catch (error) {
    const failure = error instanceof TooLarge ? refusedAsTooLarge() : toFailure(error);
    log.warn({ media: row.id, kind: failure.kind }, 'attachment not fetched');
    const isFinal = failure.kind === 'refused' || row.attempts + 1 >= MAX_TRIES;
    if (isFinal) await settleMedia(context, row, { state: 'lost' });
  }
}

/** The row's id is the key, so that a retry after a crash overwrites the partial file. */
async function storeMedia(context: Context, config: TwilioConfig, row: WaitingMedia) {
  const place = { messageSid: row.message_sid ?? '', mediaSid: row.sid };
  const source = await openMedia(config, place);
  const meter = new Meter(HEAD_BYTES);
  await context.blobs.write(row.id, pipeline(source, limitBytes(MAX_BYTES), meter, ignore));
  const kind = await fileTypeFromBuffer(meter.head).catch(() => undefined);
  return { size: meter.size, mime_type: kind?.mime ?? 'application/octet-stream' };
}

async function settleMedia(
  context: Context,
  row: WaitingMedia,
  change: Parameters<typeof store.updateMedia>[2],
): Promise<void> {
  await changeMessage(context, null, {
    id: row.message_id,
    decide: async (_, trx) => {
      await store.updateMedia(trx, row.id, change);
      return {};
    },
  });
}

class TooLarge extends Error {}

/** Fails above the size limit. */
function limitBytes(bytes: number) {
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
