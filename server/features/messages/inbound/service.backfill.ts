// Fetches texts and states from Twilio that no webhook delivered.

import type { ProviderMessage, TwilioClient } from '../../../integrations/twilio/client.ts';
import * as store from '../store.ts';
import * as sync from './store.ts';
import type { Context } from '../../../context.ts';
import { applyRecord } from './service.records.ts';
import { adoptRecord, ingestText } from '../service.news.ts';
import { twilioOf } from '../service.parts.ts';

/** Milliseconds between two rounds. */
const EVERY = 240_000;
/** Milliseconds before the last complete round that are read again, since callbacks can be delayed. */
const OVERLAP = 3600_000;
/** Pages per round; the next round continues there. */
const PAGES = 20;

/** Runs when due. @param isDue runs in any case @throws TwilioFailure */
export async function backfillTexts(
  context: Context,
  { isDue }: { isDue: boolean },
): Promise<void> {
  const { db } = context;
  const twilio = twilioOf(context);
  const state = await sync.readSync(db);
  const isResting = state.looked_at && Date.now() - state.looked_at.getTime() < EVERY;
  // An incomplete round continues without a pause.
  if (!twilio || (isResting && !state.look_from && !isDue)) return;
  const first = await sync.firstPurchase(db);
  if (!first) return;
  await fetchRecords(context, twilio, { state, first });
}

async function fetchRecords(
  context: Context,
  twilio: TwilioClient,
  { state, first }: { state: sync.SyncRow; first: Date },
): Promise<void> {
  const { db } = context;
  const begun = state.look_from ?? new Date();
  const since = new Date((state.complete_until ?? first).getTime() - OVERLAP);
  const before = state.look_back_to;
  const window = { after: since, ...(before && { before }) };
  let next: string | undefined;
  let reached: Date | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const found = await twilio.listMessages(window, next);
    for (const message of found.messages) await takeRecord(context, twilio, message);
    reached = found.messages.at(-1)?.sentAt ?? found.messages.at(-1)?.createdAt ?? reached;
    next = found.next;
    if (!next) break;
  }
  const looked = { looked_at: new Date() };
  await sync.writeSync(
    db,
    // Without progress the same pages would be read forever.
    next && reached && reached.getTime() !== before?.getTime()
      ? { ...looked, look_from: begun, look_back_to: reached }
      : { ...looked, complete_until: begun, look_from: null, look_back_to: null },
  );
}

async function takeRecord(
  context: Context,
  twilio: TwilioClient,
  record: ProviderMessage,
): Promise<void> {
  const known = await store.findTextBySid(context.db, record.sid);
  if (known) await applyRecord(context, known.id, record);
  else if (record.isInbound) await receiveRecord(context, twilio, record);
  else await adoptRecord(context, record);
}

async function receiveRecord(
  context: Context,
  twilio: TwilioClient,
  record: ProviderMessage,
): Promise<void> {
  const { sid, from, to, body, sentAt, createdAt, mediaCount } = record;
  const media = mediaCount > 0 ? await twilio.listMedia(sid) : [];
  const text = { sid, own: to, other: from, body, media, sentAt: sentAt ?? createdAt };
  await ingestText(context, text);
}
