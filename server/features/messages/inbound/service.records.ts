// Reads Twilio's own records of messages: times, and outcomes that no webhook delivered.

import { normalized } from '@matterdesk/contract/normalization.ts';
import type { ProviderMessage } from '../../../integrations/twilio/client.ts';
import * as rules from '../rules.ts';
import * as store from '../store.ts';
import type { Context } from '../../../context.ts';
import { changeMessage } from '../service.news.ts';
import { twilioOf } from '../service.parts.ts';

/** Tolerated difference from Twilio's clock, in milliseconds. */
const SKEW = 120_000;
const NOT_SENT = 'Twilio has no record of this text, so it wasn’t sent';

/** Copies time and status from Twilio's record. @throws TwilioFailure */
export async function dateMessage(context: Context, id: string): Promise<void> {
  const row = await store.findText(context.db, id);
  const twilio = twilioOf(context);
  if (!row?.sid || !twilio) return;
  await applyRecord(context, id, await twilio.findMessage(row.sid));
}

export async function applyRecord(
  context: Context,
  id: string,
  record: ProviderMessage,
): Promise<void> {
  const seen = await store.findText(context.db, id);
  // Most records are unchanged and need no transaction.
  if (!seen || !newsIn(record, seen)) return;
  await changeMessage(context, null, { id, decide: (row) => newsIn(record, row) });
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
  await markCutOffMessages(context, rules.SENDING_LIFE);
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
    .filter(({ createdAt }) => createdAt.getTime() >= row.created_at.getTime() - SKEW)
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const isOld = Date.now() - row.created_at.getTime() > rules.UNKNOWN_LIFE * 1000;
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
      if (found) return boundTo(found);
      if (!isOld) return undefined;
      return { status: 'failed', error_code: null, error_message: NOT_SENT };
    },
  });
}

/** Undefined when the record says nothing new. */
function newsIn(record: ProviderMessage, row: store.TextRow): store.TextChange | undefined {
  const status = rules.statusOf(record.status);
  const isOn = status !== undefined && !row.is_inbound && rules.isForward(row.status, status);
  const time = timeOf(record);
  const isDated = !time || (row.is_dated && row.sent_at.getTime() === time.getTime());
  if (!isOn && isDated) return undefined;
  return {
    ...(time && { sent_at: time, is_dated: true }),
    ...(isOn && { status, ...errorOf(status, record) }),
  };
}

function boundTo(record: ProviderMessage) {
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
