// Receives texts and statuses from Twilio's webhooks, whose signature is verified first, and from Twilio's records.

import { textWebhookRoutes } from '@matterdesk/contract/messages.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { type Context, perContext } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Form } from '../../../http/bodies.ts';
import {
  isSignedByTwilio,
  type ProviderMessage,
  type TwilioClient,
} from '../../../integrations/twilio/client.ts';
import { mediaSidOf } from '../../../integrations/twilio/media.ts';
import { fetchWaitingMedia } from '../media/service.ts';
import * as rules from '../rules.ts';
import { applyMessageStatus, ingestText, adoptRecord, changeMessage } from '../service.ingest.ts';
import { twilioOf } from '../service.twilio.ts';
import { firstPurchase } from '../store.numbers.ts';
import * as store from '../store.ts';

/** A webhook request: the query with its question mark, the signature header and the form. */
export type Webhook = { query: string; signature: string; form: Form };

const MESSAGE_SID = /^(SM|MM)[0-9a-z]{1,64}$/i;
/** Characters of a number or name. */
const MAX_NUMBER = 60;
const MAX_MEDIA = 10;

const pendingOf = perContext(() => new Set<Promise<void>>());

/** Receives a text. @throws Refusal notPermitted unless it comes from Twilio */
export async function receiveText(context: Context, webhook: Webhook): Promise<void> {
  requireTwilioSignature(context, textWebhookRoutes.receiveText.path, webhook);
  const { form } = webhook;
  const sid = memberOf(form, 'MessageSid');
  const [own, other] = [memberOf(form, 'To'), memberOf(form, 'From')];
  if (!MESSAGE_SID.test(sid) || !isParty(own) || !isParty(other))
    throw new Refusal('invalidInput', 'Not a text message');
  const text = { sid, own, other, body: memberOf(form, 'Body'), media: mediaOf(form) };
  const id = await ingestText(context, { ...text, sentAt: undefined });
  if (id !== undefined) finishInbound(context, id);
}

/** Receives the status of a sent text. @throws Refusal notPermitted unless it comes from Twilio */
export async function updateTextStatus(context: Context, webhook: Webhook): Promise<void> {
  requireTwilioSignature(context, textWebhookRoutes.receiveStatus.path, webhook);
  const { form, query } = webhook;
  const sid = memberOf(form, 'MessageSid');
  const status = rules.statusOf(memberOf(form, 'MessageStatus') || memberOf(form, 'SmsStatus'));
  if (!MESSAGE_SID.test(sid)) throw new Refusal('invalidInput', 'Not a text message');
  if (!status) return;
  const named = new URLSearchParams(query).get('message') ?? '';
  const code = codeIn(memberOf(form, 'ErrorCode'));
  await applyMessageStatus(context, { sid, id: isId(named) ? named : undefined, status, code });
}

/** Waits for requests to Twilio that follow a webhook. */
export async function settleInbound(context: Context): Promise<void> {
  await Promise.all(pendingOf(context));
}

function requireTwilioSignature(
  context: Context,
  path: string,
  { query, signature, form }: Webhook,
): void {
  const { publicUrl, twilio } = context.config;
  const url = `${publicUrl}${path}${query}`;
  const isSigned = twilio && isSignedByTwilio(twilio.authToken, { url, signature, form });
  const account = memberOf(form, 'AccountSid') || twilio?.accountSid;
  if (!isSigned || account !== twilio.accountSid) throw new Refusal('notPermitted');
}

/** Fetches time and attachments after the reply; the job retries failures. */
function finishInbound(context: Context, id: string): void {
  const { log } = context;
  const work = dateMessage(context, id)
    .then(() => fetchWaitingMedia(context, id))
    .catch((error: unknown) => log.warn({ err: error, text: id }, 'text not completed'))
    .finally(() => pendingOf(context).delete(work));
  pendingOf(context).add(work);
}

/** Empty for missing and repeated members. */
function memberOf(form: Form, name: string): string {
  const value = Object.hasOwn(form, name) ? form[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function codeIn(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function isParty(text: string) {
  return text !== '' && text.length <= MAX_NUMBER && !text.includes('\0');
}

function mediaOf(form: Form) {
  const count = Math.min(MAX_MEDIA, Number(memberOf(form, 'NumMedia')) || 0);
  return Array.from({ length: count }, (_, index) => ({
    sid: mediaSidOf(memberOf(form, `MediaUrl${index}`)),
    mimeType: memberOf(form, `MediaContentType${index}`).replaceAll('\0', '').slice(0, 100),
  })).flatMap(({ sid, mimeType }) => (sid === undefined ? [] : [{ sid, mimeType }]));
}

// Reads Twilio's own records of messages: times, outcomes and texts that no webhook delivered.

/** Milliseconds between two backfills. */
const BACKFILL_PAUSE_MS = 240_000;
/** Milliseconds before the last complete backfill that are read again, since callbacks can be delayed. */
const OVERLAP_MS = 3600_000;
/** Pages per run; the next run continues there. */
const MAX_PAGES = 20;
/** Tolerated difference from Twilio's clock, in milliseconds. */
const MAX_SKEW_MS = 120_000;
const NOT_SENT = 'Twilio has no record of this text, so it wasn’t sent';

/** Copies time and status from Twilio's record. @throws TwilioFailure */
async function dateMessage(context: Context, id: string): Promise<void> {
  const row = await store.findText(context.db, id);
  const twilio = twilioOf(context);
  if (!row?.sid || !twilio) return;
  await applyRecord(context, id, await twilio.findMessage(row.sid));
}

async function applyRecord(context: Context, id: string, record: ProviderMessage): Promise<void> {
  const seen = await store.findText(context.db, id);
  // Most records are unchanged and need no transaction.
  if (!seen || !changeIn(record, seen)) return;
  await changeMessage(context, null, { id, decide: (row) => changeIn(record, row) });
}

/** Updates recent messages that lack Twilio's time. */
export async function dateMessages(context: Context): Promise<void> {
  for (const id of await store.listUndated(context.db, 200)) await dateMessage(context, id);
}

/** Asks Twilio about sends with unknown outcomes; never resends. @param age seconds */
export async function settleMessages(context: Context, age: number): Promise<void> {
  const { db } = context;
  const twilio = twilioOf(context);
  if (!twilio) return;
  await markCutOffMessages(context, rules.SENDING_LIFE_SECONDS);
  for (const row of await store.listUnknown(db, age)) {
    const { own_number: from, other_number: to } = row;
    const { messages } = await twilio.listMessages({ from, to });
    await settleByRecords(context, row, messages);
  }
}

/** Sends interrupted by a crash have unknown outcomes. @param age seconds */
export async function markCutOffMessages(context: Context, age: number): Promise<void> {
  for (const id of await store.listCutOff(context.db, age))
    await changeMessage(context, null, {
      id,
      decide: (row) =>
        row.status === 'sending' && row.sid === null ? { status: 'unknown' } : undefined,
    });
}

async function settleByRecords(
  context: Context,
  row: store.TextRow,
  records: ProviderMessage[],
): Promise<void> {
  const candidates = records
    .filter(({ isInbound, body }) => !isInbound && sameText(body, row.body))
    .filter(({ createdAt }) => createdAt.getTime() >= row.created_at.getTime() - MAX_SKEW_MS)
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const isOld = Date.now() - row.created_at.getTime() > rules.UNKNOWN_LIFE_SECONDS * 1000;
  await changeMessage(context, null, {
    id: row.id,
    decide: async (now, trx) => {
      if (now.sid !== null || now.status !== 'unknown') return undefined;
      const pair = { own: row.own_number, other: row.other_number, body: row.body };
      // The record may belong to an identical text that is still being sent.
      if (await store.hasUnsettled(trx, pair)) return undefined;
      const known = await store.knownSids(
        trx,
        candidates.map(({ sid }) => sid),
      );
      const found = candidates.find(({ sid }) => !known.has(sid));
      if (found) return boundColumns(found);
      if (!isOld) return undefined;
      return { status: 'failed', error_code: null, error_message: NOT_SENT };
    },
  });
}

/** The change that a record brings; undefined for none. */
function changeIn(record: ProviderMessage, row: store.TextRow): store.TextChange | undefined {
  const status = rules.statusOf(record.status);
  const isForward = status !== undefined && !row.is_inbound && rules.isForward(row.status, status);
  const time = timeOf(record);
  const isDated = !time || (row.is_dated && row.sent_at.getTime() === time.getTime());
  if (!isForward && isDated) return undefined;
  return {
    ...(time && { sent_at: time, is_dated: true }),
    ...(isForward && { status, ...errorOf(status, record) }),
  };
}

function boundColumns(record: ProviderMessage) {
  const status = rules.statusOf(record.status) ?? 'queued';
  const { sid, sentAt, createdAt } = record;
  const time = { sent_at: sentAt ?? createdAt, is_dated: sentAt !== null };
  return { sid, status, ...time, ...errorOf(status, record), refused_as: null, refusal: null };
}

function errorOf(status: string, { errorCode }: ProviderMessage) {
  const isError = status === 'failed' || status === 'undelivered';
  return {
    error_code: isError ? errorCode : null,
    error_message: isError ? rules.errorText(errorCode) : null,
  };
}

/** Undefined before sending; a refused text keeps the time of its creation. */
function timeOf({ sentAt, createdAt, status, isInbound }: ProviderMessage): Date | undefined {
  const isOver = isInbound || ['failed', 'undelivered', 'delivered', 'canceled'].includes(status);
  return sentAt ?? (isOver ? createdAt : undefined);
}

/** Twilio trims whitespace at the ends. */
function sameText(a: string, b: string) {
  return normalized(a).trim() === normalized(b).trim();
}

/** Fetches texts and states that no webhook delivered, when due. @param isDue runs in any case @throws TwilioFailure */
export async function backfillTexts(
  context: Context,
  { isDue }: { isDue: boolean },
): Promise<void> {
  const { db } = context;
  const twilio = twilioOf(context);
  const state = await store.readSync(db);
  const isRecent = state.looked_at && Date.now() - state.looked_at.getTime() < BACKFILL_PAUSE_MS;
  // An incomplete backfill continues without a pause.
  if (!twilio || (isRecent && !state.look_from && !isDue)) return;
  const first = await firstPurchase(db);
  if (!first) return;
  await fetchRecords(context, twilio, { state, first });
}

async function fetchRecords(
  context: Context,
  twilio: TwilioClient,
  { state, first }: { state: store.SyncRow; first: Date },
): Promise<void> {
  const { db } = context;
  const started = state.look_from ?? new Date();
  const since = new Date((state.complete_until ?? first).getTime() - OVERLAP_MS);
  const before = state.look_back_to;
  const window = { after: since, ...(before && { before }) };
  let next: string | undefined;
  let reached: Date | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found = await twilio.listMessages(window, next);
    for (const message of found.messages) await takeRecord(context, twilio, message);
    reached = found.messages.at(-1)?.sentAt ?? found.messages.at(-1)?.createdAt ?? reached;
    next = found.next;
    if (!next) break;
  }
  const read = { looked_at: new Date() };
  await store.writeSync(
    db,
    // Without progress the same pages would be read forever.
    next && reached && reached.getTime() !== before?.getTime()
      ? { ...read, look_from: started, look_back_to: reached }
      : { ...read, complete_until: started, look_from: null, look_back_to: null },
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
