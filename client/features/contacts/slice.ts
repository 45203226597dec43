import { createSlice } from '@reduxjs/toolkit';
import type { Contact, ContactCard, Party } from '@matterdesk/contract/contacts.ts';
import { type Answered, type Entries, keyOf, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

/** What narrows the list; empty for all. */
export type Filters = { search: string; kind: string; role: string };
export type ContactPage = {
  contacts: Contact[];
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

export type ContactsFound = Pick<ContactPage, 'contacts' | 'total' | 'totalIsCapped'>;

/** Contacts; never stored in the browser. */
export type ContactsState = {
  lists: Entries<ContactPage>;
  cards: Entries<ContactCard>;
  /** The best matches of a text, by the text. */
  searches: Entries<ContactsFound>;
  /** By the id of the case. */
  parties: Entries<Party[]>;
};

declare module '../../core/store.ts' {
  interface RootState {
    contacts: ContactsState;
  }
}

export const lists = new ResourceState({
  name: 'contacts/lists',
  of: (state: ContactsState) => state.lists,
  take: (_, { answer, held, isMore }: Answered<Filters, ContactPage, ContactPage>) => {
    const before = isMore && held ? held.data.contacts : [];
    return {
      data: { ...answer, contacts: [...before, ...answer.contacts] },
      cursor: answer.nextCursor,
    };
  },
});
export const cards = new ResourceState<ContactsState, string, ContactCard>({
  name: 'contacts/cards',
  of: (state) => state.cards,
});
export const searches = new ResourceState<ContactsState, string, ContactsFound>({
  name: 'contacts/searches',
  of: (state) => state.searches,
});
export const parties = new ResourceState<ContactsState, string, Party[]>({
  name: 'contacts/parties',
  of: (state) => state.parties,
});

const initialState: ContactsState = { lists: {}, cards: {}, searches: {}, parties: {} };

const slice = createSlice({
  name: 'contacts',
  initialState,
  reducers: {
    /** A contact or a party changed, here or elsewhere: what shows it is fetched again. */
    contactsChanged(state) {
      lists.invalidate(state);
      cards.invalidate(state);
      searches.invalidate(state);
      parties.invalidate(state);
    },
  },
  extraReducers(builder) {
    builder.addCase(matterLost, (state, { payload: id }) => {
      delete state.parties[keyOf(id)];
      lists.invalidate(state);
      cards.invalidate(state);
    });
    lists.handle(builder);
    cards.handle(builder);
    searches.handle(builder);
    parties.handle(builder);
  },
});

export const { contactsChanged } = slice.actions;
export const contactsReducer = slice.reducer;
