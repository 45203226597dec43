import { createSlice } from '@reduxjs/toolkit';
import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { type Entries, ResourceState } from '../../core/entries.ts';

/** What the server has made of cases and tasks for a reader's day; the browser keeps none of it. */
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

/** Of the last day that is known; after midnight that is yesterday for a moment. */
export function overviewOf({ days }: OverviewState): Overview | undefined {
  return Object.values(days).findLast(({ data }) => data !== null)?.data ?? undefined;
}

/** Why there is no overview, in words. */
export function overviewFailureOf({ days }: OverviewState): string | null {
  return Object.values(days).at(-1)?.failure?.message ?? null;
}

export const overviewReducer = slice.reducer;
