import {
  createEntityAdapter,
  isDraft,
  original,
  prepareAutoBatched,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type { Activity, Case } from '@matterdesk/contract/cases.ts';
import { featureSlice } from '../../core/feature-slice.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { type AnswerContext, type Entries, keyOf, resource } from '../../core/resource.ts';
import { belongs, type ListQuery, orderOf, type ActivityFeed, withNewest } from './rules.lists.ts';

/** The loaded part of a list, in its order. */
export type CaseList = {
  ids: string[];
  /** The total number, exact unless capped. */
  total: number;
  totalIsCapped: boolean;
};

export type CasePage = {
  cases: Case[];
  nextCursor: string | null;
  total: number;
  totalIsCapped?: true | undefined;
};

export type CasesFound = Pick<CasePage, 'cases' | 'total' | 'totalIsCapped'>;

/** The `cases` slice. */
export type CasesState = EntityState<Case, string> & {
  /** Keyed by tab and search; events are case ids. */
  lists: Entries<CaseList, string>;
  /** Whether a case was loaded, by its id. */
  details: Entries<true>;
  /** Activity by the id of the case. */
  activity: Entries<ActivityFeed>;
  /** Matches of a search over both tabs. */
  searches: Entries<CasesFound>;
  /** Cases that the user saw before and no longer does. */
  lost: Record<string, true>;
};

declare module '../../core/store.ts' {
  interface RootState {
    cases: CasesState;
  }
}

const adapter = createEntityAdapter<Case>();
/** The state beside the resources. */
const own = adapter.getInitialState<Pick<CasesState, 'lost'>>({ lost: {} });

export const lists = resource({
  kept: 6,
  rows: ({ ids }: CaseList) => ids.length,
  take(
    state: CasesState,
    { query, answer: page, held, isMore }: AnswerContext<ListQuery, CasePage, CaseList>,
  ) {
    for (const matter of page.cases) keepNewer(state, matter);
    if (!isMore) dropHidden(state, query, page);
    const found = page.cases.map(({ id }) => id);
    const still = found.filter((id) => belongs(state.entities[id], query));
    return {
      data: {
        ids: [...new Set([...(isMore && held ? held.data.ids : []), ...still])],
        total: page.total - (found.length - still.length),
        totalIsCapped: page.totalIsCapped ?? false,
      },
      cursor: page.nextCursor,
    };
  },
  apply: settle,
});

export const details = resource({
  kept: 20,
  take(state: CasesState, { answer }: AnswerContext<string, { case: Case }, true>) {
    receive(state, answer.case);
    return { data: true as const, cursor: null };
  },
});

export const activity = resource({
  kept: 4,
  take(_, { answer, held, isMore }: AnswerContext<string, ActivityPage, ActivityFeed>) {
    const { activity: entries, nextCursor } = answer;
    const data =
      isMore && held
        ? { entries: [...held.data.entries, ...entries], nextCursor }
        : withNewest(held?.data ?? null, { entries, nextCursor });
    return { data, cursor: data.nextCursor };
  },
});
type ActivityPage = { activity: Activity[]; nextCursor: string | null };

export const searches = resource({
  kept: 0,
  take: (
    _,
    { answer }: AnswerContext<{ search: string; limit: number }, CasePage, CasesFound>,
  ) => ({
    data: answer,
    cursor: null,
  }),
});

const slice = featureSlice(
  'cases',
  { lists, details, activity, searches },
  {
    state: own,
    on: {
      /** A case is new or has changed, here or elsewhere; outdated states are ignored. */
      caseReceived: {
        // Batched, because an import emits thousands at once.
        prepare: prepareAutoBatched<Case>(),
        reducer(state, { payload }: PayloadAction<Case>) {
          receive(state, payload);
          activity.invalidate(state, keyOf(payload.id));
        },
      },
      /** Something that belongs to a case has changed. */
      caseActivityChanged: {
        prepare: prepareAutoBatched<string>(),
        reducer(state, { payload }: PayloadAction<string>) {
          activity.invalidate(state, keyOf(payload));
        },
      },
    },
    others(builder) {
      builder.addCase(matterLost, (state, { payload: id }) => {
        state.lost[id] = true;
        drop(state, id);
      });
    },
  },
);

function receive(state: CasesState, matter: Case) {
  if (keepNewer(state, matter)) lists.apply(state, matter.id);
}

/** Removes a case from everything that is stored of cases. */
function drop(state: CasesState, id: string) {
  adapter.removeOne(state, id);
  for (const { data } of Object.values(state.lists))
    if (data?.ids.includes(id)) {
      data.ids = data.ids.filter((other) => other !== id);
      data.total -= 1;
    }
  for (const entry of Object.values(state.searches))
    if (entry.data?.cases.some((matter) => matter.id === id)) {
      entry.data.cases = entry.data.cases.filter((matter) => matter.id !== id);
      entry.data.total -= 1;
    }
  delete state.activity[keyOf(id)];
  details.invalidate(state, keyOf(id));
}

/** Milliseconds in which a change may have been on its way beside the list. */
const IN_FLIGHT_MS = 60_000;

/** Drops stored cases that a fresh page should list and does not: the user no longer sees them. */
function dropHidden(state: CasesState, query: ListQuery, { cases, nextCursor }: CasePage) {
  if (query.sort !== undefined) return;
  const listed = new Set(cases.map(({ id }) => id));
  const [first, last] = [cases[0], cases.at(-1)];
  const since = new Date(Date.now() - IN_FLIGHT_MS).toISOString();
  const hidden = Object.values(state.entities).filter(
    (matter) =>
      belongs(matter, query) &&
      !listed.has(matter.id) &&
      matter.updatedAt < since &&
      matter.createdAt < (first?.createdAt ?? since) &&
      (nextCursor === null || matter.createdAt > (last?.createdAt ?? '')),
  );
  for (const { id } of hidden) drop(state, id);
}

/** @returns whether the case is not older than the stored state */
function keepNewer(state: CasesState, matter: Case): boolean {
  const held = state.entities[matter.id];
  if (held && held.updatedAt > matter.updatedAt) return false;
  adapter.setOne(state, matter);
  delete state.lost[matter.id];
  return true;
}

/** Adds a case to a list or removes it. The list is unknown beyond its loaded rows. */
function settle(
  state: CasesState,
  { query, cursor, data }: { query: ListQuery; cursor: string | null; data: CaseList },
  id: string,
): CaseList {
  const matter = state.entities[id];
  if (!matter) return data;
  // Iterating over a draft is slow, and a list may have ten thousand rows.
  const ids = (isDraft(data.ids) && original(data.ids)) || data.ids;
  const isIn = ids.includes(id);
  const isMatch = belongs(matter, query);
  if (isIn && !isMatch)
    return { ...data, ids: ids.filter((other) => other !== id), total: data.total - 1 };
  if (!isMatch || (isIn && query.sort === undefined)) return data;
  const others = isIn ? ids.filter((other) => other !== id) : ids;
  const list = { query, cursor, data: { ...data, ids: others } };
  return place(state, list, { matter, isCounted: isIn });
}

/** Adds a case at its place, unless that is beyond the rows that were read. */
function place(
  { entities }: CasesState,
  { query, cursor, data }: { query: ListQuery; cursor: string | null; data: CaseList },
  { matter, isCounted }: { matter: Case; isCounted: boolean },
): CaseList {
  const order = orderOf(query);
  const isBefore = (other: string | undefined) => {
    const there = entities[other ?? ''];
    return there !== undefined && order(matter, there) <= 0;
  };
  const { ids, total } = data;
  if (cursor !== null && !isBefore(ids.at(-1))) return data;
  const at = ids.findIndex(isBefore);
  const next = ids.toSpliced(at < 0 ? ids.length : at, 0, matter.id);
  return { ...data, ids: next, total: isCounted ? total : total + 1 };
}

export const { caseReceived, caseActivityChanged } = slice.actions;
export const casesReducer = slice.reducer;
