import { createSlice } from '@reduxjs/toolkit';
import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { type Entries, ResourceState } from '../../core/entries.ts';

/** Overviews by the user's local day; never stored in the browser. */
export type OverviewState = { days: Entries<Overview> };

declare module '../../core/store.ts' {
  interface RootState {
    overview: OverviewState;
  }
}

export const days = new ResourceState<OverviewState, string, Overview>({
  name: 'overview/days',
  of: (state) => state.days,
});

const initialState: OverviewState = { days: {} };

const slice = createSlice({
  name: 'overview',
  initialState,
  reducers: {},
  extraReducers: (builder) => days.handle(builder),
});

/** The overview of the last loaded day, which is yesterday for a moment after midnight. */
export function overviewOf({ days }: OverviewState): Overview | undefined {
  return Object.values(days).findLast(({ data }) => data !== null)?.data ?? undefined;
}

/** Why the overview could not be loaded. */
export function overviewFailureOf({ days }: OverviewState): string | null {
  return Object.values(days).at(-1)?.failure?.message ?? null;
}

export const overviewReducer = slice.reducer;
