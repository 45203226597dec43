// The user's own conversations: their list, their history, and transcripts as PDF.

import type { Readable } from 'node:stream';
import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import type {
  Consent,
  Conversation,
  HistoryQuery,
  TextMessage,
} from '@matterdesk/contract/messages.ts';
import { DEFAULT_PAGE_SIZE } from '@matterdesk/contract/paging.ts';
import { type ActorContext, type Context, asActor, write } from '../../../context.ts';
import { fullName } from '../../../core/actor.ts';
import { nowAt, secondInUtc } from '../../../core/dates.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, notFound } from '../../../core/refusal.ts';
import { cutPage, readTimeCursor } from '../../../http/paging.ts';
import type { Entry, Heading } from '../../../integrations/pdf/transcript.ts';
import { readCurrentUser } from '../../accounts/service.ts';
import { caseExists, readCase } from '../../cases/service.ts';
import { uploadDocument } from '../../files/service.ts';
import { readFirm } from '../../firm/service.ts';
import { requireOwnNumber } from '../numbers/service.ts';
import * as rules from '../rules.ts';
import * as numbers from '../store.numbers.ts';
import * as store from '../store.ts';

/** A phone number, also of another channel, or a short code. */
const NUMBER = /\+?\d{3,15}$/;
const FOLDER = 'Text messages';
/** Messages per query. */
const BATCH = 200;

type ExportRange = Pick<HistoryQuery, 'from' | 'to'> & { caseId: string };

/** All conversations of the user, newest first. */
export async function listConversations(
  context: ActorContext,
): Promise<{ phoneNumbers: string[]; conversations: Conversation[] }> {
  const rows = await store.listConversations(asActor(context), context.actor.id);
  const listed = rows.map((row) => ({
    phoneNumber: row.other_number,
    unread: row.unread,
    lastMessage: store.toText(row),
    name: row.person?.name ?? null,
    caseId: row.person?.caseId ?? null,
  }));
  return { phoneNumbers: listed.map(({ phoneNumber }) => phoneNumber), conversations: listed };
}

/** The contact's last consent keyword for the user's number; null without one. */
export async function readConsent(
  context: ActorContext,
  { to }: { to: string },
): Promise<{ consent: Consent | null }> {
  const own = await numbers.findNumberOf(context.db, context.actor.id);
  const found = own && (await numbers.findConsent(context.db, own.phone_number, to));
  return { consent: found ? { keyword: found.keyword, at: found.at.toISOString() } : null };
}

/**
 * A page of a conversation, oldest message first and newest page first. Marks it as read.
 * @throws Refusal notPermitted for another's number, invalidInput for a bad cursor
 */
export async function readConversation(
  context: ActorContext,
  query: HistoryQuery,
): Promise<{ messages: TextMessage[]; nextCursor: string | null }> {
  await requireOwnNumber(context, query.from);
  const pair = { ownerId: context.actor.id, other: query.to };
  const after = query.cursor ? readTimeCursor(query.cursor) : undefined;
  const limit = query.limit ?? DEFAULT_PAGE_SIZE;
  const rows = await store.listTexts(context.db, pair, { limit: limit + 1, after });
  // A sender can be a name, which cannot be written to, so that a name without texts is a mistake.
  if (rows.length === 0 && !after && !NUMBER.test(query.to))
    throw invalidField('to', 'To must be a phone number or the name of a sender');
  await markConversationRead(context, pair, rows[0]?.id);
  const { page, nextCursor } = cutPage(rows, limit, (row) => [
    row.sent_at.toISOString(),
    row.serial,
  ]);
  return { messages: page.toReversed().map(store.toText), nextCursor };
}

/** The user's newest texts with any of these numbers, newest first; they stay unread. */
export async function listTextsWith(
  context: ActorContext,
  phoneNumbers: string[],
  limit: number,
): Promise<TextMessage[]> {
  const wanted = { ownerId: context.actor.id, numbers: phoneNumbers };
  const rows = await store.listTextsWith(context.db, wanted, limit);
  return rows.map(store.toText);
}

async function markConversationRead(
  context: ActorContext,
  pair: store.Pair,
  newest = '',
): Promise<void> {
  if (!(await store.hasUnread(context.db, pair))) return;
  await write(context, async (unit) => {
    await store.lockConversation(unit.trx, pair);
    if (!(await store.markRead(unit.trx, pair))) return;
    await store.refreshConversation(unit.trx, pair);
    await unit.record({ action: 'read', entity: 'text', entityId: newest });
  });
}

/**
 * Stores a transcript of a conversation in a case's library.
 * @throws Refusal notPermitted for another's number, invalidInput for an unknown case, notFound
 */
export async function exportConversation(
  context: ActorContext,
  { from, to, caseId }: ExportRange,
): Promise<{ url: string }> {
  await requireOwnNumber(context, from);
  if (!isId(caseId) || !(await caseExists(asActor(context), caseId)))
    throw invalidField('caseId', 'Please select any case');
  const { newestId, name, bytes } = await transcribe(context, to, (now) =>
    headingOf(context, { from, to, caseId }, now),
  );
  const url = await uploadDocument(context, { caseId, folder: FOLDER }, { name, bytes });
  await write(context, (unit) =>
    unit.record({ action: 'exported', entity: 'text', entityId: newestId }),
  );
  return { url };
}

/** A transcript of the user's texts with a number, apart from any case. @throws Refusal notFound without texts */
export function transcribeConversation(
  context: ActorContext,
  to: string,
): Promise<{ name: string; bytes: Readable }> {
  return transcribe(context, to, (now) => ({
    title: `Text messages with ${to}`,
    facts: [
      { name: 'Other number', value: to },
      { name: 'Exported', value: `${secondInUtc(now.toISOString())} by ${context.actor.email}` },
      { name: 'Times', value: 'UTC, as Twilio recorded them' },
    ],
    ending: { of: 'transcript', entries: 'messages' },
  }));
}

async function transcribe(
  context: ActorContext,
  to: string,
  headingAt: (now: Date) => Heading | Promise<Heading>,
): Promise<{ newestId: string; name: string; bytes: Readable }> {
  const pair = { ownerId: context.actor.id, other: to };
  const [newest] = await store.listTexts(context.db, pair, { limit: 1 });
  if (!newest) throw notFound('Conversation');
  const now = new Date();
  const bytes = context.paper.write(await headingAt(now), entriesOf(context, pair));
  const { timeZone } = await readFirm(context);
  const name = `Texts with ${to} ${nowAt(now, timeZone).day}.pdf`;
  return { newestId: newest.id, name, bytes };
}

async function headingOf(
  context: ActorContext,
  { from, to, caseId }: ExportRange,
  now: Date,
): Promise<Heading> {
  const [person, matter] = await Promise.all([readCurrentUser(context), readCase(context, caseId)]);
  const named = [matter.clientInfo, matter.opposingCounselInfo].find(
    ({ phoneNumber }) => rules.digitsOf(phoneNumber ?? '') === rules.digitsOf(to),
  );
  return {
    title: `Text messages with ${named?.name ? `${named.name}, ${to}` : to}`,
    facts: [
      { name: 'Case', value: `${matter.caseName}, ${matter.caseNo ?? NOT_FILED}` },
      { name: 'Firm number', value: `${from} (${fullName(person)})` },
      { name: 'Other number', value: to },
      { name: 'Exported', value: `${secondInUtc(now.toISOString())} by ${person.email}` },
      { name: 'Times', value: 'UTC, as Twilio recorded them' },
    ],
    ending: { of: 'transcript', entries: 'messages' },
  };
}

async function* entriesOf(context: Context, pair: store.Pair): AsyncGenerator<Entry[]> {
  let after: string[] | undefined;
  for (;;) {
    const rows = await store.listTexts(context.db, pair, { limit: BATCH, after, order: 'asc' });
    const last = rows.at(-1);
    if (!last) return;
    after = [last.sent_at.toISOString(), last.serial];
    yield rows.map(toEntry);
  }
}

function toEntry(row: store.TextRow): Entry {
  const { from, to, body, status, error, media } = store.toText(row);
  const count = media.length;
  return {
    head: `${secondInUtc(row.sent_at.toISOString())}   ${from} to ${to}   ${status}`,
    body,
    notes: [
      ...media.map(({ mimeType }, index) => `Attachment ${index + 1} of ${count}: ${mimeType}`),
      ...(error ? [`Error ${error.code}: ${error.message}`] : []),
    ],
  };
}
