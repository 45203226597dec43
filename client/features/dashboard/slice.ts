import { createSlice, prepareAutoBatched, type PayloadAction } from '@reduxjs/toolkit';
import type { Overview } from '@matterdesk/contract/dashboard.ts';

/** What the server has made of cases and tasks for this morning; the browser keeps none of it. */
export type OverviewState = {
  overview: Overview | null;
  /** Why the last look failed, in words. */
  failure: string | null;
  /** Grows with each change of what the overview is made of. */
  changes: number;
};

declare module '../../core/store.ts' {
  interface RootState {
    overview: OverviewState;
  }
}

const initialState: OverviewState = { overview: null, failure: null, changes: 0 };

const slice = createSlice({
  name: 'overview',
  initialState,
  reducers: {
    overviewCame(state, { payload }: PayloadAction<Overview>) {
      state.overview = payload;
      state.failure = null;
    },
    overviewFailed(state, { payload }: PayloadAction<string>) {
      state.failure = payload;
    },
    /** A case or a task is new, has changed or is gone. */
    overviewOutdated: {
      // As often as what it is made of changes, and that may be thousands of times in a moment.
      prepare: prepareAutoBatched<void>(),
      reducer(state) {
        state.changes += 1;
      },
    },
  },
});

export const { overviewCame, overviewFailed, overviewOutdated } = slice.actions;
export const overviewReducer = slice.reducer;
