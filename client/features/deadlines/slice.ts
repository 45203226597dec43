import type { PayloadAction } from '@reduxjs/toolkit';
import type { Computation, Jurisdiction, Rule } from '@matterdesk/contract/court-rules.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { keyOf, appendPage, resource } from '../../core/resource.ts';

/** List filters in the address; empty for all. */
export type Filters = {
  owner: string;
  case: string;
  kind: string;
  from: string;
  to: string;
  /** `archived` for archived matters; else those of active matters and of none. */
  matters: string;
};

/** A section of the list, and how many rows of it are shown. */
export type SectionQuery = {
  section: 'waiting' | 'overdue' | 'next30' | 'limitation' | 'near' | 'later' | 'past';
  filters: Filters;
  today: string;
  limit: number;
};

/** The firm's rules, and the courts by whose calendars they count. */
type Courts = { rules: Rule[]; jurisdictions: Jurisdiction[] };

// Loaded when it is needed: the shell, which has every slice, does not know the whole contract.
const routes = async () => (await import('@matterdesk/contract/deadlines.ts')).deadlineRoutes;
const ruleRoutes = async () =>
  (await import('@matterdesk/contract/court-rules.ts')).courtRuleRoutes;
const proposals = async () => (await import('@matterdesk/contract/proposals.ts')).proposalRoutes;
const calendar = async () => (await import('@matterdesk/contract/calendar.ts')).calendarRoutes;

/** A section of the list of deadlines. */
export const sectionList = resource({
  kept: 20,
  fetch: async (query: SectionQuery, { read }) => {
    const { queryOf } = await import('./rules.ts');
    const { owner, case: caseId } = query.filters;
    const people = { owner: owner || undefined, case: caseId || undefined };
    return read((await routes()).listDeadlines, {
      query: { ...queryOf(query), ...people, limit: query.limit },
    });
  },
});

/** A deadline with its history. */
export const deadlineOf = resource({
  kept: 2,
  fetch: async (id: string, { read }) => read((await routes()).readDeadline, { params: { id } }),
});

/** Matters with nothing ahead, of one owner or of all. */
export const idleCases = resource({
  kept: 4,
  fetch: async ({ owner, case: caseId }: Pick<Filters, 'owner' | 'case'>, { read, cursor }) =>
    read((await routes()).listIdleCases, {
      query: {
        ahead: 'limitations',
        owner: owner || undefined,
        case: caseId || undefined,
        cursor,
        limit: 20,
      },
    }),
  take: appendPage('cases'),
});

/** Matters whose statute date is missing, of one owner or of all. */
export const undatedCases = resource({
  kept: 4,
  fetch: async ({ owner, case: caseId }: Pick<Filters, 'owner' | 'case'>, { read, cursor }) =>
    read((await routes()).listUndatedCases, {
      query: { owner: owner || undefined, case: caseId || undefined, cursor, limit: 20 },
    }),
  take: appendPage('cases'),
});

/** Proposals that are open, newest first. */
export const proposalList = resource({
  kept: 1,
  fetch: async (_: string, { read }) => (await read((await proposals()).listProposals)).proposals,
});

/** The firm's rules and courts. */
export const courtList = resource({
  kept: 1,
  fetch: async (_: string, { read }): Promise<Courts> => {
    const { listRules, listJurisdictions } = await ruleRoutes();
    const [{ rules }, { jurisdictions }] = await Promise.all([
      read(listRules),
      read(listJurisdictions),
    ]);
    return { rules, jurisdictions };
  },
});

/** The date that a step gives, with every line of its count; stores nothing. */
export const countedDate = resource({
  kept: 20,
  fetch: async (body: Computation, { read }) => read((await ruleRoutes()).computeDate, { body }),
});

/** The event from which deadlines are to count. */
export const triggerEvent = resource({
  kept: 1,
  fetch: async (id: string, { read }) => read((await calendar()).readEvent, { params: { id } }),
});

const resources = {
  sections: sectionList,
  details: deadlineOf,
  idle: idleCases,
  undated: undatedCases,
  proposals: proposalList,
  rules: courtList,
  counts: countedDate,
  triggers: triggerEvent,
};

/** Deadlines, by the sections of their list; never stored in the browser. */
const slice = featureSlice('deadlines', resources, {
  on: {
    /** A deadline came or changed, here or elsewhere: what shows it is fetched again. */
    deadlineChanged(state, { payload: id }: PayloadAction<string>) {
      sectionList.invalidate(state);
      idleCases.invalidate(state);
      undatedCases.invalidate(state);
      proposalList.invalidate(state);
      deadlineOf.invalidate(state, keyOf(id));
    },
    /** A proposal was opened or decided: what waits is fetched again. */
    proposalChanged(state) {
      sectionList.invalidate(state);
      proposalList.invalidate(state);
    },
    /** Cases or tasks changed, from which limitations and what lies ahead follow. */
    mattersChanged(state) {
      sectionList.invalidate(state);
      idleCases.invalidate(state);
      undatedCases.invalidate(state);
    },
  },
  others: (builder) =>
    builder.addCase(matterLost, (state) => {
      for (const each of Object.values(resources)) each.drop(state);
    }),
});

declare module '../../core/store.ts' {
  interface RootState {
    deadlines: ReturnType<typeof slice.reducer>;
  }
}

export const { deadlineChanged, proposalChanged, mattersChanged } = slice.actions;
export const deadlinesReducer = slice.reducer;
