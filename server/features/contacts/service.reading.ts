// Contacts as lists and as cards.

import type { ContactCard, IntakeOfContact, Lookalike } from '@matterdesk/contract/contacts.ts';
import type { MailSummary } from '@matterdesk/contract/mails.ts';
import type { TextMessage } from '@matterdesk/contract/messages.ts';
import { DEFAULT_PAGE } from '@matterdesk/contract/paging.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import { type ActorContext, asActor, slot } from '../../context.ts';
import { ID } from '../../core/ids.ts';
import type { Scoped } from '../../db/schema.ts';
import { cutPage, describeTotal, readCursor, type PageQuery } from '../../http/paging.ts';
import * as rules from './rules.ts';
import { requireContact } from './service.keeping.ts';
import * as list from './store.list.ts';
import { findLookalikes } from './store.lookalikes.ts';
import { listUndoable } from './store.merges.ts';
import { listMatters } from './store.parties.ts';
import * as store from './store.ts';

/** What other features know of a contact; the reader's own mails and texts, newest first. */
export type Sources = {
  mails: (context: ActorContext, emails: string[], limit: number) => Promise<MailSummary[]>;
  texts: (context: ActorContext, numbers: string[], limit: number) => Promise<TextMessage[]>;
  intakes: (context: ActorContext, contactId: string) => Promise<IntakeOfContact[]>;
};

const CORRESPONDENCE = 50;
const LOOKALIKES = 10;
const NAME = /^[^]{0,300}$/;

export const contactSources = slot<Sources>();

/** One page by name. */
export async function listContacts(
  context: ActorContext,
  query: Omit<list.ContactFilter, 'words'> & PageQuery,
) {
  const { limit = DEFAULT_PAGE, cursor, search, ...of } = query;
  const after = cursor ? readCursor(cursor, [NAME, ID]) : undefined;
  const filter = { ...of, words: searchWords(search ?? '') };
  const { rows, total } = await find(asActor(context), filter, { limit: limit + 1, after });
  const { page, nextCursor } = cutPage(rows, limit, (row) => [row.name_key, row.id]);
  return { contacts: page.map(store.toContact), nextCursor, ...describeTotal(total) };
}

/** @throws Refusal notFound */
export async function readContact(context: ActorContext, id: string): Promise<ContactCard> {
  const db = asActor(context);
  const row = await requireContact(db, id);
  const details = store.toDetails(row);
  const sources = contactSources.of(context);
  const [matters, alike, merged, intakes, mails, texts] = await Promise.all([
    listMatters(db, row.id),
    findAlike(db, row),
    listUndoable(db, row.id),
    sources.intakes(context, row.id),
    sources.mails(context, details.emails, CORRESPONDENCE),
    sources.texts(context, rules.textNumbers(details), CORRESPONDENCE),
  ]);
  const contact = store.toContact(row);
  return { contact, matters, intakes, lookalikes: alike, mails, texts, merged };
}

async function find(db: Scoped, filter: list.ContactFilter, page: list.ContactPage) {
  const few = await list.findFew(db, filter);
  if (few) return { rows: await list.listThese(db, few, page), total: few.length };
  const [rows, total] = await Promise.all([list.walk(db, filter, page), list.count(db, filter)]);
  return { rows, total };
}

async function findAlike(db: Scoped, row: store.ContactRow): Promise<Lookalike[]> {
  const own = store.toDetails(row);
  const rows = await findLookalikes(db, row, rules.lookalikeKeys(own));
  return rows
    .flatMap((other) => {
      const reason = rules.reasonOf(own, store.toDetails(other));
      return reason === undefined ? [] : [{ contact: store.toContact(other), reason }];
    })
    .toSorted((a, b) => b.reason.split(',').length - a.reason.split(',').length)
    .slice(0, LOOKALIKES);
}
