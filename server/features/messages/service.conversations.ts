// Reads the user's own conversations.

import { DEFAULT_PAGE } from '@matterdesk/contract/paging.ts';
import type {
  Consent,
  Conversation,
  HistoryQuery,
  TextMessage,
} from '@matterdesk/contract/messages.ts';
import { cutPage, readTimeCursor } from '../../http/paging.ts';
import { invalidField } from '../../core/refusal.ts';
import { findConsent } from './consents/store.ts';
import * as conversations from './store.conversations.ts';
import { findNumberOf } from './numbers/store.ts';
import * as store from './store.ts';
import { type ActorContext, asActor, write } from '../../context.ts';
import { requireOwnNumber } from './numbers/service.ts';

/** A phone number, also of another channel, or a short code. */
const NUMBER = /\+?\d{3,15}$/;

/** All conversations of the user, newest first. */
export async function listConversations(
  context: ActorContext,
): Promise<{ phoneNumbers: string[]; conversations: Conversation[] }> {
  const rows = await conversations.listConversations(asActor(context), context.actor.id);
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
  const own = await findNumberOf(context.db, context.actor.id);
  const found = own && (await findConsent(context.db, own.phone_number, to));
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
  const limit = query.limit ?? DEFAULT_PAGE;
  const rows = await store.listTexts(context.db, pair, { limit: limit + 1, after });
  // Names send texts, too, but cannot be written to: one without any text is a mistake.
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
  numbers: string[],
  limit: number,
): Promise<TextMessage[]> {
  const rows = await store.listTextsWith(context.db, { ownerId: context.actor.id, numbers }, limit);
  return rows.map(store.toText);
}

async function markConversationRead(
  context: ActorContext,
  pair: store.Pair,
  newest = '',
): Promise<void> {
  if (!(await conversations.hasUnread(context.db, pair))) return;
  await write(context, async (unit) => {
    await conversations.lockConversation(unit.trx, pair);
    if (!(await conversations.markRead(unit.trx, pair))) return;
    await conversations.refreshConversation(unit.trx, pair);
    await unit.record({ action: 'read', entity: 'text', entityId: newest });
  });
}
