import { contactRoutes as routes } from '@matterdesk/contract/contact-routes.ts';
import type {
  Contact,
  ContactPatch,
  NewContact,
  NewParty,
  PartyPatch,
} from '@matterdesk/contract/contacts.ts';
import { call } from '../../api.ts';
import type { Fetching } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { type ContactPage, contactsChanged, type Filters } from './slice.ts';

const PAGE = 100;
/** A stale list is fetched again to the same length, up to this many rows. */
const MOST_AGAIN = 1000;
/** Contacts that a search offers. */
const OFFERED = 20;

export async function readList(filters: Filters, { signal, cursor, rows }: Fetching) {
  const wanted = cursor === undefined ? Math.min(rows, MOST_AGAIN) : 0;
  const contacts: Contact[] = [];
  let page: ContactPage;
  let after = cursor;
  do {
    page = await readPage(filters, after, signal);
    contacts.push(...page.contacts);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined && contacts.length < wanted);
  return { ...page, contacts };
}

function readPage(
  { search, kind, role }: Filters,
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const query = {
    search: search || undefined,
    kind: kind || undefined,
    role: role || undefined,
    limit: PAGE,
    cursor,
  };
  return call(routes.listContacts, { query, signal, toasts: 'none' });
}

export function readCard(id: string, signal: AbortSignal) {
  return call(routes.readContact, { params: { id }, signal, toasts: 'none' });
}

export function search(text: string, signal: AbortSignal) {
  const query = { search: text || undefined, limit: OFFERED };
  return call(routes.listContacts, { query, signal, toasts: 'none' });
}

export async function readParties(id: string, signal: AbortSignal) {
  return (await call(routes.listParties, { params: { id }, signal, toasts: 'none' })).parties;
}

async function changed<T>(saving: Promise<T>): Promise<T> {
  const saved = await saving;
  store.dispatch(contactsChanged());
  return saved;
}

export function addContact(body: NewContact) {
  return changed(call(routes.addContact, { body, failing: 'Couldn’t add the contact' }));
}

export function changeContact(id: string, body: ContactPatch) {
  const failing = 'Couldn’t save the contact';
  return changed(call(routes.changeContact, { params: { id }, body, failing }));
}

export function deleteContact(id: string) {
  const failing = 'Couldn’t delete the contact';
  return changed(call(routes.deleteContact, { params: { id }, failing }));
}

export function mergeContacts(id: string, from: string) {
  const failing = 'Couldn’t merge the contacts';
  return changed(
    call(routes.mergeContacts, { params: { id }, body: { from }, toasts: 'errors', failing }),
  );
}

export function unmergeContacts(id: string, from: string) {
  const failing = 'Couldn’t undo the merge';
  return changed(call(routes.unmergeContacts, { params: { id }, body: { from }, failing }));
}

export function keepApart(id: string, from: string) {
  const failing = 'Couldn’t keep the contacts apart';
  return changed(call(routes.keepApart, { params: { id }, body: { from }, failing }));
}

export function addParty(caseId: string, body: NewParty) {
  const failing = 'Couldn’t add the party';
  return changed(call(routes.addParty, { params: { id: caseId }, body, failing }));
}

export function changeParty(caseId: string, partyId: string, body: PartyPatch) {
  const failing = 'Couldn’t save the party';
  return changed(call(routes.changeParty, { params: { id: caseId, partyId }, body, failing }));
}

export function removeParty(caseId: string, partyId: string) {
  const failing = 'Couldn’t remove the party';
  return changed(call(routes.removeParty, { params: { id: caseId, partyId }, failing }));
}
