import type { Alert, Check, Hit } from '@matterdesk/contract/conflicts.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { type Entries, appendPage, resource } from '../../core/resource.ts';

/** A name that is being typed, and whose own names do not count. */
export type NameCheckQuery = { name: string; role: string; caseId: string; intakeId: string };
/** The checks that a text or a subject narrows; empty for all. */
export type CheckFilters = { search: string; caseId: string; intakeId: string };

type CheckPage = {
  checks: Check[];
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const contract = () => import('@matterdesk/contract/conflicts.ts');

const PAGE = 30;

/** Matches for a name as it is typed. */
export const nameHits = resource({
  kept: 20,
  async fetch({ name, role, caseId, intakeId }: NameCheckQuery, { read }) {
    const { conflictRoutes } = await contract();
    const names = [{ name, role: role || null }];
    const body = { names, caseId: caseId || undefined, intakeId: intakeId || undefined };
    return (await read(conflictRoutes.lookForConflicts, { body })).hits;
  },
});

/** Checks, newest first. */
export const checkList = resource({
  kept: 2,
  async fetch({ search, caseId, intakeId }: CheckFilters, { read, cursor }): Promise<CheckPage> {
    const { conflictRoutes } = await contract();
    const filters = {
      search: search || undefined,
      caseId: caseId || undefined,
      intakeId: intakeId || undefined,
    };
    return read(conflictRoutes.listChecks, { query: { ...filters, limit: PAGE, cursor } });
  },
  take: appendPage('checks'),
});

export const checkOf = resource({
  kept: 2,
  fetch: async (id: string, { read }) =>
    (await read((await contract()).conflictRoutes.readCheck, { params: { id } })).check,
});

/** New names that match others, which wait for a decision. */
export const waitingAlerts = resource({
  kept: 1,
  fetch: async (_: 'waiting', { read }) =>
    (await read((await contract()).alertRoutes.listAlerts)).alerts,
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
  { looks: nameHits, lists: checkList, checks: checkOf, alerts: waitingAlerts },
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
