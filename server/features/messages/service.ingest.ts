// Stores texts and statuses from every source, each once, and statuses only forward.

import type { EventName } from '@matterdesk/contract/events.ts';
import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type { TextMessage } from '@matterdesk/contract/messages.ts';
import { type ActorContext, type Context, hook, write } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { ProviderMessage } from '../../integrations/twilio/client.ts';
import * as rules from './rules.ts';
import * as numbers from './store.numbers.ts';
import * as store from './store.ts';

type MessageEvent = Extract<EventName, `message.${string}`>;

/** An incoming text, from the webhook or from Twilio's list. */
type Incoming = {
  sid: string;
  own: string;
  other: string;
  body: string;
  media: { sid: string; mimeType: string }[];
  /** Undefined until Twilio's own record is read. */
  sentAt: Date | undefined;
};

/** A status of a message, by Twilio's id and, if the callback names it, ours. */
type StatusReport = {
  sid: string;
  id: string | undefined;
  status: MessageStatus;
  code: number | null;
};

/** Reports each text that reaches a user, within the transaction that stores it. */
export const textReceived =
  hook<[unit: Unit, text: { id: string; ownerId: string; from: string; body: string; at: Date }]>();

/** Characters of a text. */
const MAX_BODY = 20_000;

/** Decides on a change of a locked message; undefined for none. */
type Decide = (
  row: store.TextRow,
  trx: Transaction,
) => store.TextChange | undefined | Promise<store.TextChange | undefined>;

/** Changes a message and notifies its owner. */
export async function changeMessage(
  context: Context,
  actor: Actor | null,
  { id, decide }: { id: string; decide: Decide },
): Promise<TextMessage> {
  return context.writer.run(actor, (unit) =>
    applyMessageChange(unit, { id, decide, event: 'message.statusChanged' }),
  );
}

/** Binds a message to Twilio's id and applies statuses that arrived before. */
export async function bindMessage(
  context: Context,
  actor: Actor | null,
  { id, sent }: { id: string; sent: ProviderMessage },
): Promise<TextMessage> {
  return context.writer.run(actor, (unit) =>
    applyMessageChange(unit, {
      id,
      event: 'message.sent',
      decide: async (row, trx) => {
        if (row.sid !== null && row.sid !== sent.sid) return undefined;
        const noted = await store.findNotedStatus(trx, sent.sid);
        await store.forgetNotedStatus(trx, sent.sid);
        const events = [
          { status: rules.statusOf(sent.status) ?? 'queued', code: sent.errorCode },
          ...(noted ? [{ status: noted.status, code: noted.error_code }] : []),
        ];
        const time = { sent_at: sent.sentAt ?? sent.createdAt, is_dated: sent.sentAt !== null };
        const clean = { refused_as: null, refusal: null };
        return { sid: sent.sid, ...clean, ...time, ...furthestChange(row, events) };
      },
    }),
  );
}

/** Statuses of unknown messages are kept until the message is bound. */
export async function applyMessageStatus(
  context: Context,
  { sid, id, status, code }: StatusReport,
): Promise<void> {
  await context.writer.run(null, async (unit) => {
    const found =
      (await store.findTextBySid(unit.trx, sid)) ?? (id && (await store.findText(unit.trx, id)));
    if (!found || found.is_inbound || (found.sid !== null && found.sid !== sid)) {
      const noted = await store.findNotedStatus(unit.trx, sid);
      if (!noted || rules.isForward(noted.status, status))
        await store.noteStatus(unit.trx, { sid, status, code });
      return;
    }
    await applyMessageChange(unit, {
      id: found.id,
      event: 'message.statusChanged',
      decide: (row) => {
        const next = furthestChange(row, [{ status, code }]);
        const isNew = row.sid === null;
        if (!isNew && !next) return undefined;
        return { ...(isNew && { sid, refused_as: null, refusal: null }), ...next };
      },
    });
    await noteRegistration(unit.trx, found, { status, code });
  });
}

/** Concludes from the outcome whether the carriers know the number as registered. */
async function noteRegistration(
  trx: Transaction,
  found: store.TextRow,
  { status, code }: { status: MessageStatus; code: number | null },
): Promise<void> {
  if (rules.isUnregistered(code)) await numbers.noteRegistration(trx, found.own_number, false);
  else if (status === 'delivered' && found.other_number.startsWith('+1'))
    await numbers.noteRegistration(trx, found.own_number, true);
}

/**
 * Stores an incoming text once, however often it is reported.
 * @returns its id; undefined for a duplicate
 */
export async function ingestText(context: Context, text: Incoming): Promise<string | undefined> {
  const { sid, own, other, sentAt } = text;
  return context.writer.run(null, async (unit) => {
    const ownerId = await numbers.findOwner(unit.trx, own);
    const pair = ownerId === null ? undefined : { ownerId, other };
    if (pair) await store.lockConversation(unit.trx, pair);
    const body = text.body.slice(0, MAX_BODY).replaceAll('\0', '');
    const at = sentAt ?? rules.currentSecond();
    const id = await store.insertText(unit.trx, {
      owner_id: ownerId,
      own_number: own,
      other_number: other,
      is_inbound: true,
      body,
      sid,
      status: 'received',
      is_unread: ownerId !== null,
      sent_at: at,
      is_dated: sentAt !== undefined,
    });
    if (id === undefined) return undefined;
    await store.insertMedia(unit.trx, id, text.media);
    await noteKeyword(unit.trx, text);
    await unit.record({ action: 'received', entity: 'text', entityId: id });
    if (!pair) return id;
    await emitMessage(unit, id, { pair, event: 'message.received' });
    await textReceived.run(context, unit, { id, ownerId: pair.ownerId, from: other, body, at });
    return id;
  });
}

/** Adds a text that was sent from our number outside this product. */
export async function adoptRecord(context: Context, record: ProviderMessage): Promise<void> {
  const { sid, from: own, to: other, body, sentAt, createdAt } = record;
  await context.writer.run(null, async (unit) => {
    const ownerId = await numbers.findOwner(unit.trx, own);
    if (ownerId === null) return;
    const pair = { ownerId, other };
    await store.lockConversation(unit.trx, pair);
    // It may be the text with the unknown outcome.
    if (await store.hasUnsettled(unit.trx, { own, other })) return;
    const status = rules.statusOf(record.status) ?? 'queued';
    const isError = status === 'failed' || status === 'undelivered';
    const id = await store.insertText(unit.trx, {
      owner_id: ownerId,
      own_number: own,
      other_number: other,
      is_inbound: false,
      body,
      sid,
      status,
      error_code: isError ? record.errorCode : null,
      error_message: isError ? rules.errorText(record.errorCode) : null,
      sent_at: sentAt ?? createdAt,
      is_dated: sentAt !== null,
    });
    if (id === undefined) return;
    await unit.record({ action: 'found', entity: 'text', entityId: id });
    await emitMessage(unit, id, { pair, event: 'message.sent' });
  });
}

/** Applies what a refusal reveals: a missed STOP or an unregistered number. */
export async function noteRefusal(
  context: ActorContext,
  id: string,
  code: number | null,
): Promise<void> {
  const isStop = code === 21610;
  if (!isStop && !rules.isUnregistered(code)) return;
  await write(context, async (unit) => {
    const row = await store.findText(unit.trx, id);
    if (!row) return;
    const { own_number, other_number } = row;
    if (isStop)
      await numbers.addConsent(unit.trx, {
        own_number,
        other_number,
        keyword: 'STOP',
        word: null,
        sid: null,
      });
    else await numbers.noteRegistration(unit.trx, own_number, false);
    await unit.record({ action: 'refused', entity: 'text', entityId: id, after: { code } });
  });
}

async function applyMessageChange(
  unit: Unit,
  { id, event, decide }: { id: string; event: MessageEvent; decide: Decide },
): Promise<TextMessage> {
  const seen = await store.findText(unit.trx, id);
  if (!seen) throw new Refusal('unexpected');
  const pair =
    seen.owner_id === null ? undefined : { ownerId: seen.owner_id, other: seen.other_number };
  if (pair) await store.lockConversation(unit.trx, pair);
  const row = await store.lockText(unit.trx, id);
  const change = row && (await decide(row, unit.trx));
  if (!change) return store.toText(row ?? seen);
  await store.updateText(unit.trx, id, change);
  const before = { status: seen.status };
  const after = { status: change.status ?? seen.status };
  await unit.record({ action: 'updated', entity: 'text', entityId: id, before, after });
  if (pair) return emitMessage(unit, id, { pair, event });
  return store.toText({ ...seen, ...(await store.findText(unit.trx, id)) });
}

async function emitMessage(
  unit: Unit,
  id: string,
  { pair, event }: { pair: store.Pair; event: MessageEvent },
): Promise<TextMessage> {
  await store.refreshConversation(unit.trx, pair);
  const row = await store.findText(unit.trx, id);
  if (!row) throw new Refusal('unexpected');
  const text = store.toText(row);
  unit.emit(event, text, { audience: { userIds: [pair.ownerId] } });
  return text;
}

async function noteKeyword(trx: Transaction, { sid, own, other, body, sentAt }: Incoming) {
  const keyword = rules.keywordOf(body);
  if (!keyword) return;
  const word = body.trim();
  // "Yes" answers many questions; it means START only after STOP.
  if (word.toUpperCase() === 'YES' && !(await numbers.isStopped(trx, own, other))) return;
  const at = sentAt && { at: sentAt };
  await numbers.addConsent(trx, {
    own_number: own,
    other_number: other,
    keyword,
    word,
    sid,
    ...at,
  });
}

/** The change to the furthest of several statuses; undefined when none is further. */
function furthestChange(
  row: store.TextRow,
  events: { status: MessageStatus; code: number | null }[],
): store.TextChange | undefined {
  // Without Twilio's id the status is only ours, and any status from Twilio replaces it.
  let status: MessageStatus = row.sid === null ? 'unknown' : row.status;
  let change: store.TextChange | undefined;
  for (const event of events) {
    if (!rules.isForward(status, event.status)) continue;
    status = event.status;
    const isError = status === 'failed' || status === 'undelivered';
    change = {
      status,
      error_code: isError ? event.code : null,
      error_message: isError ? rules.errorText(event.code) : null,
    };
  }
  return change;
}
