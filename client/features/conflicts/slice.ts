import type { Alert, Check, Hit } from '@matterdesk/contract/conflicts.ts';
import type { Entries } from '../../core/entries.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { grown, resource } from '../../core/resource.ts';

/** A name that is being typed, and whose own names do not count. */
export type LookQuery = { name: string; role: string; caseId: string; intakeId: string };
/** The checks that a text or a subject narrows; empty for all. */
export type CheckFilters = { search: string; caseId: string; intakeId: string };

type CheckPage = {
  checks: Check[];
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

// The calls know the whole contract of conflicts, which is loaded with the first check.
const load = () => import('./api.ts');

/** Matches for a name as it is typed. */
export const lookFor = resource({
  kept: 20,
  fetch: async (query: LookQuery, fetching) => (await load()).look(query, fetching),
});

/** Checks, newest first. */
export const checkList = resource({
  kept: 2,
  fetch: async (filters: CheckFilters, fetching): Promise<CheckPage> =>
    (await load()).readList(filters, fetching),
  take: grown('checks'),
});

/** One check. */
export const checkOf = resource({
  kept: 2,
  fetch: async (id: string, fetching) => (await load()).readCheck(id, fetching),
});

/** New names that match others, which wait for a decision. */
export const waitingAlerts = resource({
  kept: 1,
  fetch: async (_: 'waiting', fetching) => (await load()).readAlerts(fetching),
});

/** Conflict checks; never stored in the browser. */
type ConflictsState = {
  looks: Entries<Hit[]>;
  lists: Entries<CheckPage>;
  checks: Entries<Check>;
  alerts: Entries<Alert[]>;
};

declare module '../../core/store.ts' {
  interface RootState {
    conflicts: ConflictsState;
  }
}

const slice = featureSlice(
  'conflicts',
  { looks: lookFor, lists: checkList, checks: checkOf, alerts: waitingAlerts },
  {
    on: {
      /** A check was run, decided or concluded here. */
      checksChanged(state) {
        checkList.invalidate(state);
        checkOf.invalidate(state);
      },
      /** A new name matched another one, or was decided here. */
      alertsChanged: (state) => waitingAlerts.invalidate(state),
    },
    // Drops everything, since hits may quote a matter that is now hidden.
    others: (builder) =>
      builder.addCase(matterLost, () => ({ looks: {}, lists: {}, checks: {}, alerts: {} })),
  },
);

export const { checksChanged, alertsChanged } = slice.actions;
export const conflictsReducer = slice.reducer;
