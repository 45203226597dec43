import { createSlice } from '@reduxjs/toolkit';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { type Entries, ResourceState } from '../../core/entries.ts';

/** What the calendar asks for. */
export type Shown = {
  from: string;
  to: string;
  people?: string;
  kinds?: string;
  case?: string;
  search?: string;
};
export type Shows = { items: CalendarItem[]; isCut: boolean; expandedTo: string };

/** Days by what they show; never stored in the browser. */
export type CalendarState = { windows: Entries<Shows> };

declare module '../../core/store.ts' {
  interface RootState {
    calendar: CalendarState;
  }
}

export const windows = new ResourceState<CalendarState, Shown, Shows>({
  name: 'calendar/windows',
  of: (state) => state.windows,
});

const initialState: CalendarState = { windows: {} };

const slice = createSlice({
  name: 'calendar',
  initialState,
  reducers: {
    /** Something on the calendar changed: pages that show it ask again. */
    calendarChanged: (state) => windows.invalidate(state),
  },
  extraReducers: (builder) => windows.handle(builder),
});

export const { calendarChanged } = slice.actions;
export const calendarReducer = slice.reducer;
