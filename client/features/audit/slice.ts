import { createSlice } from '@reduxjs/toolkit';
import type { Entry } from '@matterdesk/contract/audit.ts';
import { type Answered, type Entries, ResourceState } from '../../core/entries.ts';

/** The filters in the page's address. */
export type Filters = Record<string, string>;
export type EntryPage = {
  entries: Entry[];
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
  sealedUpTo: string;
};
export type Seals = {
  seal: string | null;
  first: { id: string; at: string } | null;
  broken: { entryId: string } | null;
};
export type EntrySeal = { seal: string | null; matches: boolean };

/** The audit log; never stored in the browser. */
export type RecordState = {
  lists: Entries<EntryPage>;
  chain: Entries<Seals>;
  seals: Entries<EntrySeal>;
};

declare module '../../core/store.ts' {
  interface RootState {
    record: RecordState;
  }
}

export const lists = new ResourceState({
  name: 'record/lists',
  of: (state: RecordState) => state.lists,
  take: (_, { answer, held, isMore }: Answered<Filters, EntryPage, EntryPage>) => {
    const before = isMore && held ? held.data.entries : [];
    return {
      data: { ...answer, entries: [...before, ...answer.entries] },
      cursor: answer.nextCursor,
    };
  },
});
export const chain = new ResourceState<RecordState, 'all', Seals>({
  name: 'record/chain',
  of: (state) => state.chain,
});
export const seals = new ResourceState<RecordState, string, EntrySeal>({
  name: 'record/seals',
  of: (state) => state.seals,
});

const initialState: RecordState = { lists: {}, chain: {}, seals: {} };

const slice = createSlice({
  name: 'record',
  initialState,
  reducers: {},
  extraReducers(builder) {
    lists.handle(builder);
    chain.handle(builder);
    seals.handle(builder);
  },
});

export const recordReducer = slice.reducer;
