// People and organizations: the list, the card of each, and the parties of a case.

import { Resource } from '../../core/resource.ts';
import type { RootState } from '../../core/store.ts';
import { cards, lists, parties, searches } from './slice.ts';

// The calls know the whole contract of contacts, which the shell does not load before it is needed.
const load = () => import('./api.ts');
const slice = ({ contacts }: RootState) => contacts;

/** Contacts by name. */
export const contactList = new Resource(lists, {
  slice,
  kept: 4,
  fetch: async (filters, { signal, cursor, held }) =>
    (await load()).readList(filters, { signal, cursor, held }),
});

/** A contact with what belongs to it. */
export const contactCard = new Resource(cards, {
  slice,
  kept: 4,
  fetch: async (id: string, { signal }) => (await load()).readCard(id, signal),
});

/** The contacts that a text finds first. */
export const contactSearch = new Resource(searches, {
  slice,
  kept: 2,
  fetch: async (search: string, { signal }) => (await load()).search(search, signal),
});

/** The parties of a case. */
export const partiesOf = new Resource(parties, {
  slice,
  kept: 2,
  fetch: async (caseId: string, { signal }) => (await load()).readParties(caseId, signal),
});
