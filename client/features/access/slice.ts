import { createSlice } from '@reduxjs/toolkit';
import type { Access, WalledMatter } from '@matterdesk/contract/access.ts';
import { type Answered, type Entries, keyOf, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

/** Who sees the matters; never stored in the browser. */
export type AccessState = {
  /** By the id of the case. */
  matters: Entries<Access>;
  walled: Entries<WalledMatter[]>;
};

declare module '../../core/store.ts' {
  interface RootState {
    access: AccessState;
  }
}

export const matters = new ResourceState({
  name: 'access/matters',
  of: (state: AccessState) => state.matters,
  take: (_, { answer }: Answered<string, { access: Access }, Access>) => ({
    data: answer.access,
    cursor: null,
  }),
});

type WalledPage = { matters: WalledMatter[]; nextCursor: string | null };

export const walled = new ResourceState({
  name: 'access/walled',
  of: (state: AccessState) => state.walled,
  take: (_, { answer, held, isMore }: Answered<string, WalledPage, WalledMatter[]>) => ({
    data: [...(isMore && held ? held.data : []), ...answer.matters],
    cursor: answer.nextCursor,
  }),
});

const initialState: AccessState = { matters: {}, walled: {} };

const slice = createSlice({
  name: 'access',
  initialState,
  reducers: {},
  extraReducers(builder) {
    builder.addCase(matterLost, (state, { payload: id }) => {
      delete state.matters[keyOf(id)];
    });
    matters.handle(builder);
    walled.handle(builder);
  },
});

export const accessReducer = slice.reducer;
