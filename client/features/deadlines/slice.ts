import { createSlice } from '@reduxjs/toolkit';
import type {
  Deadline,
  DeadlineCounts,
  DeadlineWithHistory,
  IdleCase,
} from '@matterdesk/contract/deadlines.ts';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import type { Computation, Counted, Jurisdiction, Rule } from '@matterdesk/contract/court-rules.ts';
import type { Proposal } from '@matterdesk/contract/proposals.ts';
import { type Answered, type Entries, keyOf, ResourceState } from '../../core/entries.ts';
import { matterLost } from '../../core/matter-lost.ts';

/** What the address narrows the list to; empty for all. */
export type Filters = { owner: string; case: string; kind: string; from: string; to: string };

/** A section of the list, and how many rows of it are shown. */
export type SectionQuery = {
  section: 'waiting' | 'overdue' | 'next30' | 'limitation';
  filters: Filters;
  today: string;
  limit: number;
};
export type SectionPage = {
  deadlines: Deadline[];
  total: number;
  nextCursor: string | null;
  counts: DeadlineCounts;
};
/** The firm's rules, and the courts by whose calendars they count. */
export type Courts = { rules: Rule[]; jurisdictions: Jurisdiction[] };
export type IdlePage = { cases: IdleCase[]; total: number; nextCursor: string | null };

/** Deadlines, by the sections of their list; never stored in the browser. */
export type DeadlinesState = {
  sections: Entries<SectionPage>;
  details: Entries<DeadlineWithHistory>;
  idle: Entries<IdlePage>;
  proposals: Entries<Proposal[]>;
  rules: Entries<Courts>;
  counts: Entries<Counted>;
  triggers: Entries<CalendarEvent>;
};

declare module '../../core/store.ts' {
  interface RootState {
    deadlines: DeadlinesState;
  }
}

export const sections = new ResourceState<DeadlinesState, SectionQuery, SectionPage>({
  name: 'deadlines/sections',
  of: (state) => state.sections,
});
export const details = new ResourceState<DeadlinesState, string, DeadlineWithHistory>({
  name: 'deadlines/details',
  of: (state) => state.details,
});
export const proposals = new ResourceState<DeadlinesState, string, Proposal[]>({
  name: 'deadlines/proposals',
  of: (state) => state.proposals,
});
export const courts = new ResourceState<DeadlinesState, string, Courts>({
  name: 'deadlines/rules',
  of: (state) => state.rules,
});
export const counts = new ResourceState<DeadlinesState, Computation, Counted>({
  name: 'deadlines/counts',
  of: (state) => state.counts,
});
export const triggers = new ResourceState<DeadlinesState, string, CalendarEvent>({
  name: 'deadlines/triggers',
  of: (state) => state.triggers,
});
export const idle = new ResourceState({
  name: 'deadlines/idle',
  of: (state: DeadlinesState) => state.idle,
  take: (_, { answer, held, isMore }: Answered<string, IdlePage, IdlePage>) => ({
    data: { ...answer, cases: [...(isMore && held ? held.data.cases : []), ...answer.cases] },
    cursor: answer.nextCursor,
  }),
});

const initialState: DeadlinesState = {
  sections: {},
  details: {},
  idle: {},
  proposals: {},
  rules: {},
  counts: {},
  triggers: {},
};

const slice = createSlice({
  name: 'deadlines',
  initialState,
  reducers: {
    /** A deadline came or changed, here or elsewhere: what shows it is fetched again. */
    deadlineChanged(state, { payload: id }: { payload: string }) {
      sections.invalidate(state);
      idle.invalidate(state);
      proposals.invalidate(state);
      details.invalidate(state, keyOf(id));
    },
    /** A proposal was opened or decided: what waits is fetched again. */
    proposalChanged(state) {
      sections.invalidate(state);
      proposals.invalidate(state);
    },
    /** Cases or tasks changed, from which limitations and what lies ahead follow. */
    mattersChanged(state) {
      sections.invalidate(state);
      idle.invalidate(state);
    },
  },
  extraReducers(builder) {
    builder.addCase(matterLost, () => initialState);
    sections.handle(builder);
    details.handle(builder);
    idle.handle(builder);
    proposals.handle(builder);
    courts.handle(builder);
    counts.handle(builder);
    triggers.handle(builder);
  },
});

export const { deadlineChanged, proposalChanged, mattersChanged } = slice.actions;
export const deadlinesReducer = slice.reducer;
