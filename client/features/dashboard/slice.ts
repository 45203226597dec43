import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { type Entries, resource } from '../../core/resource.ts';

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/dashboard.ts')).dashboardRoutes;

/** The overview of the user's local day, `YYYY-MM-DD`. */
export const overviewOfDay = resource({
  kept: 1,
  fetch: async (today: string, { read }) =>
    read((await routes()).readOverview, { query: { today } }),
});

/** Overviews by day; never stored in the browser. */
const slice = featureSlice('overview', { days: overviewOfDay });

type OverviewState = { days: Entries<Overview> };

declare module '../../core/store.ts' {
  interface RootState {
    overview: OverviewState;
  }
}

/** The overview of the last loaded day, which is yesterday for a moment after midnight. */
export function overviewOf({ days }: OverviewState): Overview | undefined {
  return Object.values(days).findLast(({ data }) => data !== null)?.data ?? undefined;
}

/** '5 of yours waiting or overdue' */
export function callsInWords(count: number): string {
  return `${count} of yours waiting or overdue`;
}

/** Why the overview could not be loaded. */
export function overviewFailureOf({ days }: OverviewState): string | null {
  return Object.values(days).at(-1)?.failure?.message ?? null;
}

export const overviewReducer = slice.reducer;
