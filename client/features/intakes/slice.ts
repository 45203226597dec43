import type { PayloadAction } from '@reduxjs/toolkit';
import type { Intake, IntakeCounts, IntakeDetail } from '@matterdesk/contract/intakes.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { intakeChecked } from '../../core/intake-check.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { type Entries, keyOf, resource } from '../../core/resource.ts';
import type { RootState } from '../../core/store.ts';

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

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/intake-routes.ts')).intakeRoutes;

/** A list of intakes, the soonest due first. */
export const intakeList = resource({
  kept: 6,
  async fetch({ tab, owner, search, limit }: ListQuery, { read }): Promise<IntakePage> {
    const { closedStages, openStages } = await import('@matterdesk/contract/intakes.ts');
    const stages = {
      open: openStages,
      closed: closedStages,
      new: ['new'],
      all: [...openStages, ...closedStages],
    } as const;
    const shown = tab === 'spam' ? { spam: 1 } : { stage: stages[tab].join(',') };
    return read((await routes()).listIntakes, {
      query: { ...shown, owner: owner || undefined, search: search || undefined, limit },
    });
  },
});

/** An intake with what belongs to it. */
export const intakeOf = resource({
  kept: 4,
  fetch: async (id: string, { read }) => read((await routes()).readIntake, { params: { id } }),
});

type IntakesState = { lists: Entries<IntakePage>; details: Entries<IntakeDetail> };

/** Intakes as they are shown; never stored in the browser. */
const slice = featureSlice(
  'intakes',
  { lists: intakeList, details: intakeOf },
  {
    on: {
      /** An intake came or changed, here or elsewhere: what shows it is fetched again. */
      intakeChanged(state, { payload: id }: PayloadAction<string>) {
        intakeList.invalidate(state);
        intakeOf.invalidate(state, keyOf(id));
      },
    },
    // A case, or an intake whose access has changed: it is read again by those who still may.
    others: (builder) => {
      const readAgain = (state: IntakesState, { payload: id }: PayloadAction<string>) => {
        intakeOf.invalidate(state, keyOf(id));
        intakeList.invalidate(state);
      };
      builder.addCase(matterLost, readAgain).addCase(intakeChecked, readAgain);
    },
  },
);

declare module '../../core/store.ts' {
  interface RootState {
    intakes: ReturnType<typeof slice.reducer>;
  }
}

export const { intakeChanged } = slice.actions;
export const intakesReducer = slice.reducer;

/** Query for new inquiries; the navigation and the dashboard share it. */
export const NEWEST: ListQuery = { tab: 'new', owner: '', search: '', limit: 5 };

export function newestOf({ lists: held }: RootState['intakes']): IntakePage | null {
  return held[keyOf(NEWEST)]?.data ?? null;
}
