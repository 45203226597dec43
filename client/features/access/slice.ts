import { createSlice } from '@reduxjs/toolkit';
import { walledKinds, type Access, type WalledMatter } from '@matterdesk/contract/access.ts';
import { type Answered, type Entries, keyOf, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

/** A case or an intake. */
export type Matter = Pick<WalledMatter, 'kind' | 'id'>;

/** Who sees the matters; never stored in the browser. */
export type AccessState = {
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
  take: (_, { answer }: Answered<Matter, { access: Access }, Access>) => ({
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
      for (const kind of walledKinds) delete state.matters[keyOf({ kind, id })];
    });
    matters.handle(builder);
    walled.handle(builder);
  },
});

export const accessReducer = slice.reducer;
