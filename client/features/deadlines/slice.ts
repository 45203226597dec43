import { createSlice } from '@reduxjs/toolkit';
import type {
  Deadline,
  DeadlineCounts,
  DeadlineWithHistory,
  IdleCase,
} from '@matterdesk/contract/deadlines.ts';
import { type Answered, type Entries, keyOf, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

/** A section of the list, and how many rows of it are shown. */
export type SectionQuery = {
  section: 'waiting' | 'overdue' | 'next30' | 'limitation';
  owner: string;
  today: string;
  limit: number;
};
export type SectionPage = {
  deadlines: Deadline[];
  total: number;
  nextCursor: string | null;
  counts: DeadlineCounts;
};
export type IdlePage = { cases: IdleCase[]; total: number; nextCursor: string | null };

/** Deadlines, by the sections of their list; never stored in the browser. */
export type DeadlinesState = {
  sections: Entries<SectionPage>;
  details: Entries<DeadlineWithHistory>;
  idle: Entries<IdlePage>;
};

declare module '../../core/store.ts' {
  interface RootState {
    deadlines: DeadlinesState;
  }
}

export const sections = new ResourceState<DeadlinesState, SectionQuery, SectionPage>({
  name: 'deadlines/sections',
  of: (state) => state.sections,
});
export const details = new ResourceState<DeadlinesState, string, DeadlineWithHistory>({
  name: 'deadlines/details',
  of: (state) => state.details,
});
export const idle = new ResourceState({
  name: 'deadlines/idle',
  of: (state: DeadlinesState) => state.idle,
  take: (_, { answer, held, isMore }: Answered<string, IdlePage, IdlePage>) => ({
    data: { ...answer, cases: [...(isMore && held ? held.data.cases : []), ...answer.cases] },
    cursor: answer.nextCursor,
  }),
});

const initialState: DeadlinesState = { sections: {}, details: {}, idle: {} };

const slice = createSlice({
  name: 'deadlines',
  initialState,
  reducers: {
    /** A deadline came or changed, here or elsewhere: what shows it is fetched again. */
    deadlineChanged(state, { payload: id }: { payload: string }) {
      sections.invalidate(state);
      idle.invalidate(state);
      details.invalidate(state, keyOf(id));
    },
    /** Cases or tasks changed, from which limitations and what lies ahead follow. */
    mattersChanged(state) {
      sections.invalidate(state);
      idle.invalidate(state);
    },
  },
  extraReducers(builder) {
    builder.addCase(matterLost, () => initialState);
    sections.handle(builder);
    details.handle(builder);
    idle.handle(builder);
  },
});

export const { deadlineChanged, mattersChanged } = slice.actions;
export const deadlinesReducer = slice.reducer;
