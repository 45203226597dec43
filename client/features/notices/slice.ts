import { createSlice } from '@reduxjs/toolkit';
import type { Notice } from '@matterdesk/contract/notices.ts';
import { type Answered, type Entries, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

export type NoticePage = { notices: Notice[]; unseen: number; nextCursor: string | null };

/** The user's notices, newest first; never stored in the browser. */
export type NoticesState = { lists: Entries<NoticePage> };

declare module '../../core/store.ts' {
  interface RootState {
    notices: NoticesState;
  }
}

export const lists = new ResourceState({
  name: 'notices/lists',
  of: (state: NoticesState) => state.lists,
  take: (_, { answer, held, isMore }: Answered<string, NoticePage, NoticePage>) => ({
    data: { ...answer, notices: [...(isMore && held ? held.data.notices : []), ...answer.notices] },
    cursor: answer.nextCursor,
  }),
});

const initialState: NoticesState = { lists: {} };

const slice = createSlice({
  name: 'notices',
  initialState,
  reducers: {
    /** Notices came, or changed in another tab: the bell asks again. */
    noticesChanged: (state) => lists.invalidate(state),
  },
  extraReducers(builder) {
    builder.addCase(matterLost, (state) => lists.invalidate(state));
    lists.handle(builder);
  },
});

export const { noticesChanged } = slice.actions;
export const noticesReducer = slice.reducer;
