import { createEntityAdapter, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Case, StatusType } from '@matterdesk/contract/cases.ts';

/** One list as the server pages it: a tab with what is searched for. */
export type CaseList = {
  ids: string[];
  nextCursor: string | null;
  total: number;
  totalIsCapped: boolean;
  status: 'loading' | 'ready' | 'failed';
};

export type CasePage = {
  cases: Case[];
  nextCursor: string | null;
  total: number;
  totalIsCapped?: true | undefined;
};

const adapter = createEntityAdapter<Case>();

type Lists = { lists: Record<string, CaseList> };

/** The name of a list in the store. */
export function listKey(statusType: StatusType, search: string): string {
  return `${statusType} ${search}`;
}

const slice = createSlice({
  name: 'cases',
  initialState: adapter.getInitialState<Lists>({ lists: {} }),
  reducers: {
    casesCame(
      state,
      {
        payload: { key, page, isFirst },
      }: PayloadAction<{
        key: string;
        page: CasePage;
        isFirst: boolean;
      }>,
    ) {
      adapter.upsertMany(state, page.cases);
      const before = isFirst ? [] : (state.lists[key]?.ids ?? []);
      const ids = [...new Set([...before, ...page.cases.map((one) => one.id)])];
      const { nextCursor, total, totalIsCapped = false } = page;
      state.lists[key] = { ids, nextCursor, total, totalIsCapped, status: 'ready' };
    },
    /** A case is new or has changed; what is older than what is held is ignored. */
    caseHeard(state, { payload }: PayloadAction<Case>) {
      const held = state.entities[payload.id];
      if (!held || held.updatedAt <= payload.updatedAt) adapter.upsertOne(state, payload);
    },
  },
});

export const { casesCame, caseHeard } = slice.actions;
export const casesReducer = slice.reducer;
export const caseSelectors = adapter.getSelectors();
