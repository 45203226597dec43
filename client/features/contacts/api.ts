import { contactRoutes as routes, type Contact } from '@matterdesk/contract/contacts.ts';
import { mutation } from '../../core/mutation.ts';
import type { Fetching } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { type ContactPage, contactsChanged, type Filters } from './slice.ts';

const PAGE = 100;
/** A stale list is fetched again to the same length, up to this many rows. */
const MOST_AGAIN = 1000;
/** Contacts that a search offers. */
const OFFERED = 20;

export async function readList(filters: Filters, { read, cursor, rows }: Fetching) {
  const wanted = cursor === undefined ? Math.min(rows, MOST_AGAIN) : 0;
  const contacts: Contact[] = [];
  let page: ContactPage;
  let after = cursor;
  do {
    page = await readPage(filters, after, read);
    contacts.push(...page.contacts);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined && contacts.length < wanted);
  return { ...page, contacts };
}

function readPage(
  { search, kind, role }: Filters,
  cursor: string | undefined,
  read: Fetching['read'],
) {
  const query = {
    search: search || undefined,
    kind: kind || undefined,
    role: role || undefined,
    limit: PAGE,
    cursor,
  };
  return read(routes.listContacts, { query });
}

export function readCard(id: string, { read }: Fetching) {
  return read(routes.readContact, { params: { id } });
}

export function search(text: string, { read }: Fetching) {
  const query = { limit: OFFERED, ...(text !== '' && { search: text, ranked: 1 }) };
  return read(routes.listContacts, { query });
}

export async function readParties(id: string, { read }: Fetching) {
  return (await read(routes.listParties, { params: { id } })).parties;
}

const done = () => store.dispatch(contactsChanged());

export const addContact = mutation(routes.addContact, 'Couldn’t add the contact', { done });
export const changeContact = mutation(routes.changeContact, 'Couldn’t save the contact', { done });
export const deleteContact = mutation(routes.deleteContact, 'Couldn’t delete the contact', {
  done,
});

/** The input of a merge: the contact that stays, and the one that becomes part of it. */
export function pairOf(kept: { id: string }, from: { id: string }) {
  return { params: { id: kept.id }, body: { from: from.id } };
}

export const mergeContacts = mutation(routes.mergeContacts, 'Couldn’t merge the contacts', {
  toasts: 'errors',
  done,
});
export const unmergeContacts = mutation(routes.unmergeContacts, 'Couldn’t undo the merge', {
  done,
});
export const keepApart = mutation(routes.keepApart, 'Couldn’t keep the contacts apart', { done });

export const addParty = mutation(routes.addParty, 'Couldn’t add the party', { done });
export const changeParty = mutation(routes.changeParty, 'Couldn’t save the party', { done });
export const removeParty = mutation(routes.removeParty, 'Couldn’t remove the party', { done });
