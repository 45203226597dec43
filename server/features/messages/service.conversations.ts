import { DEFAULT_PAGE } from '@matterdesk/contract/paging.ts';
import type {
  Consent,
  Conversation,
  HistoryQuery,
  TextMessage,
} from '@matterdesk/contract/messages.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Actor } from '../../core/actor.ts';
import { cutPage, readTimeCursor } from '../../http/paging.ts';
import { invalidField } from '../../core/refusal.ts';
import type { NumberService } from './numbers/service.ts';
import { findConsent } from './consents/store.ts';
import * as conversations from './store.conversations.ts';
import { findNumberOf } from './numbers/store.ts';
import * as store from './store.ts';

/** A phone number, also of another channel, or a short code. */
const NUMBER = /\+?\d{3,15}$/;

type Parts = { db: Database; writer: Writer; numbers: NumberService };

/** Reads the user's own conversations. */
export class MessageService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** All conversations of the user, newest first. */
  async listConversations(
    actor: Actor,
  ): Promise<{ phoneNumbers: string[]; conversations: Conversation[] }> {
    const rows = await conversations.listConversations(this.#parts.db.as(actor), actor.id);
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
  async readConsent(actor: Actor, { to }: { to: string }): Promise<{ consent: Consent | null }> {
    const own = await findNumberOf(this.#parts.db, actor.id);
    const found = own && (await findConsent(this.#parts.db, own.phone_number, to));
    return { consent: found ? { keyword: found.keyword, at: found.at.toISOString() } : null };
  }

  /**
   * A page of a conversation, oldest message first and newest page first. Marks it as read.
   * @throws Refusal notPermitted for another's number, invalidInput for a bad cursor
   */
  async readHistory(
    actor: Actor,
    query: HistoryQuery,
  ): Promise<{ messages: TextMessage[]; nextCursor: string | null }> {
    await this.#parts.numbers.requireOwn(actor, query.from);
    const pair = { ownerId: actor.id, other: query.to };
    const after = query.cursor ? readTimeCursor(query.cursor) : undefined;
    const limit = query.limit ?? DEFAULT_PAGE;
    const rows = await store.listTexts(this.#parts.db, pair, { limit: limit + 1, after });
    // Names send texts, too, but cannot be written to: one without any text is a mistake.
    if (rows.length === 0 && !after && !NUMBER.test(query.to))
      throw invalidField('to', 'To must be a phone number or the name of a sender');
    await this.#markRead(actor, pair, rows[0]?.id);
    const { page, nextCursor } = cutPage(rows, limit, (row) => [
      row.sent_at.toISOString(),
      row.serial,
    ]);
    return { messages: page.toReversed().map(store.toText), nextCursor };
  }

  /** The user's newest texts with any of these numbers, newest first; they stay unread. */
  async listWith(actor: Actor, numbers: string[], limit: number): Promise<TextMessage[]> {
    const rows = await store.listTextsWith(this.#parts.db, { ownerId: actor.id, numbers }, limit);
    return rows.map(store.toText);
  }

  async #markRead(actor: Actor, pair: store.Pair, newest = ''): Promise<void> {
    if (!(await conversations.hasUnread(this.#parts.db, pair))) return;
    await this.#parts.writer.run(actor, async (unit) => {
      await conversations.lockConversation(unit.trx, pair);
      if (!(await conversations.markRead(unit.trx, pair))) return;
      await conversations.refreshConversation(unit.trx, pair);
      await unit.record({ action: 'read', entity: 'text', entityId: newest });
    });
  }
}
