import type { Contact } from '@matterdesk/contract/contacts.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { readToLength } from '../../core/read-to-length.ts';
import { keyOf, appendPage, resource } from '../../core/resource.ts';

/** List filters; empty for all. */
export type Filters = { search: string; kind: string; role: string };
export type ContactPage = {
  contacts: Contact[];
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

export type ContactsFound = Pick<ContactPage, 'contacts' | 'total' | 'totalIsCapped'>;

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const load = async () => (await import('@matterdesk/contract/contacts.ts')).contactRoutes;

const PAGE = 100;
/** Contacts that a search offers. */
const OFFERED = 20;

/** Contacts by name. */
export const contactList = resource({
  kept: 4,
  rows: ({ contacts }: ContactPage) => contacts.length,
  async fetch({ search, kind, role }: Filters, fetching): Promise<ContactPage> {
    const routes = await load();
    const filters = {
      search: search || undefined,
      kind: kind || undefined,
      role: role || undefined,
    };
    return readToLength('contacts', fetching, (cursor) =>
      fetching.read(routes.listContacts, { query: { ...filters, limit: PAGE, cursor } }),
    );
  },
  take: appendPage('contacts'),
});

/** A contact with what belongs to it. */
export const contactCard = resource({
  kept: 4,
  fetch: async (id: string, { read }) => read((await load()).readContact, { params: { id } }),
});

/** The contacts that a text finds first. */
export const contactSearch = resource({
  kept: 2,
  fetch: async (search: string, { read }) =>
    read((await load()).listContacts, {
      query: { limit: OFFERED, ...(search !== '' && { search, ranked: 1 }) },
    }),
});

/** The parties of a case. */
export const partiesOf = resource({
  kept: 2,
  fetch: async (id: string, { read }) =>
    (await read((await load()).listParties, { params: { id } })).parties,
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
