import type { Contact } from '@matterdesk/contract/contacts.ts';
import { keyOf } from '../../core/entries.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { grown, resource } from '../../core/resource.ts';

/** List filters; empty for all. */
export type Filters = { search: string; kind: string; role: string };
export type ContactPage = {
  contacts: Contact[];
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

export type ContactsFound = Pick<ContactPage, 'contacts' | 'total' | 'totalIsCapped'>;

// The calls know the whole contract of contacts, which the shell does not load before it is needed.
const load = () => import('./api.ts');

/** Contacts by name. */
export const contactList = resource({
  kept: 4,
  rows: ({ contacts }: ContactPage) => contacts.length,
  fetch: async (filters: Filters, fetching): Promise<ContactPage> =>
    (await load()).readList(filters, fetching),
  take: grown('contacts'),
});

/** A contact with what belongs to it. */
export const contactCard = resource({
  kept: 4,
  fetch: async (id: string, fetching) => (await load()).readCard(id, fetching),
});

/** The contacts that a text finds first. */
export const contactSearch = resource({
  kept: 2,
  fetch: async (search: string, fetching) => (await load()).search(search, fetching),
});

/** The parties of a case. */
export const partiesOf = resource({
  kept: 2,
  fetch: async (caseId: string, fetching) => (await load()).readParties(caseId, fetching),
});

/** Contacts; never stored in the browser. */
const slice = featureSlice(
  'contacts',
  { lists: contactList, cards: contactCard, searches: contactSearch, parties: partiesOf },
  {
    on: {
      /** A contact or a party changed, here or elsewhere: what shows it is fetched again. */
      contactsChanged(state) {
        contactList.invalidate(state);
        contactCard.invalidate(state);
        contactSearch.invalidate(state);
        partiesOf.invalidate(state);
      },
    },
    others: (builder) =>
      builder.addCase(matterLost, (state, { payload: id }) => {
        delete state.parties[keyOf(id)];
        contactList.invalidate(state);
        contactCard.invalidate(state);
      }),
  },
);

declare module '../../core/store.ts' {
  interface RootState {
    contacts: ReturnType<typeof slice.reducer>;
  }
}

export const { contactsChanged } = slice.actions;
export const contactsReducer = slice.reducer;
