import { createSlice } from '@reduxjs/toolkit';
import type { Intake, IntakeCounts, IntakeDetail } from '@matterdesk/contract/intakes.ts';
import { type Entries, keyOf, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

/** A list of intakes: a tab, what is new, or all but spam, and how many of it. */
export type ListQuery = {
  tab: 'open' | 'closed' | 'spam' | 'new' | 'all';
  owner: string;
  search: string;
  limit: number;
};
export type IntakePage = {
  intakes: Intake[];
  counts: IntakeCounts;
  overdue: number;
  total: number;
  nextCursor: string | null;
};

/** Intakes as they are shown; never stored in the browser. */
export type IntakesState = { lists: Entries<IntakePage>; details: Entries<IntakeDetail> };

declare module '../../core/store.ts' {
  interface RootState {
    intakes: IntakesState;
  }
}

export const lists = new ResourceState<IntakesState, ListQuery, IntakePage>({
  name: 'intakes/lists',
  of: (state) => state.lists,
});
export const details = new ResourceState<IntakesState, string, IntakeDetail>({
  name: 'intakes/details',
  of: (state) => state.details,
});

const initialState: IntakesState = { lists: {}, details: {} };

const slice = createSlice({
  name: 'intakes',
  initialState,
  reducers: {
    /** An intake came or changed, here or elsewhere: what shows it is fetched again. */
    intakeChanged(state, { payload: id }: { payload: string }) {
      lists.invalidate(state);
      details.invalidate(state, keyOf(id));
    },
  },
  extraReducers(builder) {
    // A case, or an intake whose access has changed: it is read again by those who still may.
    builder.addCase(matterLost, (state, { payload: id }) => {
      details.invalidate(state, keyOf(id));
      lists.invalidate(state);
    });
    lists.handle(builder);
    details.handle(builder);
  },
});

export const { intakeChanged } = slice.actions;
export const intakesReducer = slice.reducer;

/** What a place that shows new inquiries asks for; the navigation and the dashboard share it. */
export const NEWEST: ListQuery = { tab: 'new', owner: '', search: '', limit: 5 };

export function newestOf({ lists: held }: IntakesState): IntakePage | null {
  return held[keyOf(NEWEST)]?.data ?? null;
}
