import { zoneNamed } from '@matterdesk/contract/time.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { resource } from '../../core/resource.ts';

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const contract = () => import('@matterdesk/contract/calendar-grid.ts');

/** Query for the calendar's items. */
export type CalendarQuery = {
  from: string;
  to: string;
  people?: string;
  kinds?: string;
  case?: string;
  search?: string;
};

/** The reader's own zone. */
export const timeZone = zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';

/** Everything between two days; the page itself says what went wrong. */
export const calendarWindow = resource({
  kept: 3,
  fetch: async (query: CalendarQuery, { read }) => {
    const { gridRoutes, itemsOf } = await contract();
    const grid = await read(gridRoutes.readCalendarGrid, { query: { ...query, timeZone } });
    // Frozen, so that the store does not look through thousands of items to freeze each.
    const items = Object.freeze(itemsOf(grid));
    return { items, isCut: grid.isCut, expandedTo: grid.expandedTo };
  },
});

/** An event that is open. */
export const eventOf = resource({
  kept: 0,
  fetch: async (id: string, { read }) => {
    const { calendarRoutes } = await import('@matterdesk/contract/calendar.ts');
    return read(calendarRoutes.readEvent, { params: { id } });
  },
});

/** Days by what they show, and events; never stored in the browser. */
const slice = featureSlice(
  'calendar',
  { windows: calendarWindow, events: eventOf },
  {
    on: {
      /** Something on the calendar changed: pages that show it ask again. */
      calendarChanged: (state) => {
        calendarWindow.invalidate(state);
        eventOf.invalidate(state);
      },
    },
    others: (builder) => builder.addCase(matterLost, (state) => eventOf.invalidate(state)),
  },
);

declare module '../../core/store.ts' {
  interface RootState {
    calendar: ReturnType<typeof slice.reducer>;
  }
}

export const { calendarChanged } = slice.actions;
export const calendarReducer = slice.reducer;
