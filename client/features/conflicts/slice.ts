import { createSlice } from '@reduxjs/toolkit';
import type { Alert } from '@matterdesk/contract/conflict-alerts.ts';
import type { Check, Hit } from '@matterdesk/contract/conflicts.ts';
import { type Answered, type Entries, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

/** A name that is being typed, and whose own names do not count. */
export type LookQuery = { name: string; role: string; caseId: string; intakeId: string };
/** The checks that a text or a subject narrows; empty for all. */
export type CheckFilters = { search: string; caseId: string; intakeId: string };
export type CheckPage = {
  checks: Check[];
  total: number;
  totalIsCapped?: true | undefined;
  nextCursor: string | null;
};

/** Conflict checks; never stored in the browser. */
export type ConflictsState = {
  looks: Entries<Hit[]>;
  lists: Entries<CheckPage>;
  checks: Entries<Check>;
  /** New names that meet others, which wait for a decision. */
  alerts: Entries<Alert[]>;
};

declare module '../../core/store.ts' {
  interface RootState {
    conflicts: ConflictsState;
  }
}

export const looks = new ResourceState<ConflictsState, LookQuery, Hit[]>({
  name: 'conflicts/looks',
  of: (state) => state.looks,
});
export const lists = new ResourceState({
  name: 'conflicts/lists',
  of: (state: ConflictsState) => state.lists,
  take: (_, { answer, held, isMore }: Answered<CheckFilters, CheckPage, CheckPage>) => {
    const before = isMore && held ? held.data.checks : [];
    return {
      data: { ...answer, checks: [...before, ...answer.checks] },
      cursor: answer.nextCursor,
    };
  },
});
export const checks = new ResourceState<ConflictsState, string, Check>({
  name: 'conflicts/checks',
  of: (state) => state.checks,
});

export const alerts = new ResourceState<ConflictsState, 'waiting', Alert[]>({
  name: 'conflicts/alerts',
  of: (state) => state.alerts,
});

const initialState: ConflictsState = { looks: {}, lists: {}, checks: {}, alerts: {} };

const slice = createSlice({
  name: 'conflicts',
  initialState,
  reducers: {
    /** A check was run, decided or concluded here. */
    checksChanged(state) {
      lists.invalidate(state);
      checks.invalidate(state);
    },
    /** A new name met another one, or was decided here. */
    alertsChanged: (state) => alerts.invalidate(state),
  },
  extraReducers(builder) {
    // What was seen of a matter is hidden from now on.
    builder.addCase(matterLost, () => initialState);
    looks.handle(builder);
    lists.handle(builder);
    checks.handle(builder);
    alerts.handle(builder);
  },
});

export const { checksChanged, alertsChanged } = slice.actions;
export const conflictsReducer = slice.reducer;
