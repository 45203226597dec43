import {
  createEntityAdapter,
  createSlice,
  isDraft,
  original,
  prepareAutoBatched,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit';
import type { Case, StatusType } from '@matterdesk/contract/cases.ts';
import { matchesSearch } from './rules.search.ts';

/** A tab with what is searched for. */
export type ListQuery = { statusType: StatusType; search: string };

/** One list as far as it was read from the server, newest first. */
export type CaseList = ListQuery & {
  ids: string[];
  nextCursor: string | null;
  /** How many there are in all, exact unless capped. */
  total: number;
  totalIsCapped: boolean;
  /** `loading` and `failed` lists have no rows yet; a ready one may be asked for more, or afresh. */
  status: 'loading' | 'ready' | 'failed';
  /** Why the last ask failed, in words. */
  failure: string | null;
  /** Asks under way. */
  asks: number;
  /** Of which connection the rows are; those of an earlier one may be behind. -1 asks afresh in any case. */
  epoch: number;
  /** What was heard while an ask was under way: it may be newer than the answer. */
  late: string[];
};

export type CasePage = {
  cases: Case[];
  nextCursor: string | null;
  total: number;
  totalIsCapped?: true | undefined;
};

/** The `cases` store. */
export type CasesState = EntityState<Case, string> & {
  lists: Record<string, CaseList>;
  /** The case whose page is open, and how often it or its tasks have changed since. */
  watched: { id: string; changes: number } | null;
};

/** Lists of searches that are kept, so that going back finds them; older ones fall out. */
const SEARCHES_KEPT = 6;

const adapter = createEntityAdapter<Case>();
declare module '../../core/store.ts' {
  interface RootState {
    cases: CasesState;
  }
}

const initialState: CasesState = adapter.getInitialState({ lists: {}, watched: null });

/** The name of a list in the store. */
export function listKey({ statusType, search }: ListQuery): string {
  return `${statusType} ${search}`;
}

const slice = createSlice({
  name: 'cases',
  initialState,
  reducers: {
    listAsked(state, { payload }: PayloadAction<ListQuery & { epoch: number }>) {
      const key = listKey(payload);
      const list = (state.lists[key] ??= emptyList(payload));
      if (list.asks === 0) list.late = [];
      list.asks += 1;
      list.epoch = payload.epoch;
      list.failure = null;
      if (list.status === 'failed') list.status = 'loading';
      dropOldSearches(state, key);
    },
    /** The list from its beginning, in one page or several. */
    listCame(state, { payload }: PayloadAction<{ query: ListQuery; page: CasePage }>) {
      const list = state.lists[listKey(payload.query)];
      if (list) takePage(state, { list, before: [], page: payload.page });
    },
    /** The page behind `after`; whoever has read the list afresh meanwhile has another one there. */
    listGrew(
      state,
      { payload }: PayloadAction<{ query: ListQuery; after: string; page: CasePage }>,
    ) {
      const list = state.lists[listKey(payload.query)];
      if (!list) return;
      if (list.nextCursor === payload.after)
        takePage(state, { list, before: list.ids, page: payload.page });
      else list.asks -= 1;
    },
    listFailed(state, { payload }: PayloadAction<{ query: ListQuery; failure: string }>) {
      const list = state.lists[listKey(payload.query)];
      if (!list) return;
      list.asks -= 1;
      list.failure = payload.failure;
      if (list.status === 'loading') list.status = 'failed';
    },
    /** Nobody waits for the answer any longer. */
    listGivenUp(state, { payload }: PayloadAction<ListQuery>) {
      const key = listKey(payload);
      const list = state.lists[key];
      if (!list) return;
      list.asks -= 1;
      list.epoch = -1;
      if (list.asks === 0 && list.status === 'loading') delete state.lists[key];
    },
    /** Many cases are new, and nobody tells which. */
    listsOutdated(state) {
      for (const list of Object.values(state.lists)) list.epoch = -1;
    },
    /** A case is new or has changed, here or elsewhere; what is older than what is held is ignored. */
    caseHeard: {
      // Thousands may come in a moment, from an import: whoever looks is told once a frame.
      prepare: prepareAutoBatched<Case>(),
      reducer(state, { payload }: PayloadAction<Case>) {
        hear(state, payload);
        touch(state, payload.id);
      },
    },
    /** A case was asked for: that is no news. */
    caseRead(state, { payload }: PayloadAction<Case>) {
      hear(state, payload);
    },
    caseWatched(state, { payload }: PayloadAction<string | null>) {
      state.watched = payload === null ? null : { id: payload, changes: 0 };
    },
    /** Something that belongs to a case has changed. */
    caseTouched: {
      prepare: prepareAutoBatched<string>(),
      reducer(state, { payload }: PayloadAction<string>) {
        touch(state, payload);
      },
    },
  },
});

function emptyList({ statusType, search }: ListQuery): CaseList {
  return {
    statusType,
    search,
    ids: [],
    nextCursor: null,
    total: 0,
    totalIsCapped: false,
    status: 'loading',
    failure: null,
    asks: 0,
    epoch: -1,
    late: [],
  };
}

function dropOldSearches(state: CasesState, kept: string) {
  const searches = Object.entries(state.lists)
    .filter(([key, { search, asks }]) => search !== '' && asks === 0 && key !== kept)
    .map(([key]) => key);
  for (const key of searches.slice(0, -SEARCHES_KEPT)) delete state.lists[key];
}

function hear(state: CasesState, one: Case) {
  const held = state.entities[one.id];
  if (held && held.updatedAt > one.updatedAt) return;
  adapter.setOne(state, one);
  for (const list of Object.values(state.lists)) {
    if (list.asks > 0) list.late.push(one.id);
    if (list.status === 'ready') settle(state, list, one);
  }
}

function takePage(
  state: CasesState,
  { list, before, page }: { list: CaseList; before: string[]; page: CasePage },
) {
  const news = page.cases.filter(({ id, updatedAt }) => {
    const held = state.entities[id];
    return !held || held.updatedAt <= updatedAt;
  });
  adapter.setMany(state, news);
  const found = page.cases.map(({ id }) => id);
  const still = found.filter((id) => belongs(state.entities[id], list));
  list.ids = [...new Set([...before, ...still])];
  list.nextCursor = page.nextCursor;
  list.total = page.total - (found.length - still.length);
  list.totalIsCapped = page.totalIsCapped ?? false;
  list.status = 'ready';
  list.asks -= 1;
  for (const id of list.late) {
    const heard = state.entities[id];
    if (heard) settle(state, list, heard);
  }
  if (list.asks === 0) list.late = [];
}

/** Puts a case into a list, or takes it out. Beyond the rows that were read, the server knows better. */
function settle(state: CasesState, list: CaseList, one: Case) {
  // Drafts are slow to walk, and a list may have ten thousand rows.
  const ids = (isDraft(list.ids) && original(list.ids)) || list.ids;
  const isIn = ids.includes(one.id);
  const isOne = belongs(one, list);
  if (isIn && !isOne) {
    list.ids = ids.filter((id) => id !== one.id);
    list.total -= 1;
  } else if (!isIn && isOne && isAmongRead(state, { ids, ...one, end: list.nextCursor })) {
    const at = ids.findIndex((id) => (state.entities[id]?.createdAt ?? '') <= one.createdAt);
    list.ids = ids.toSpliced(at < 0 ? ids.length : at, 0, one.id);
    list.total += 1;
  }
}

function isAmongRead(
  { entities }: CasesState,
  { ids, createdAt, end }: { ids: string[]; createdAt: string; end: string | null },
) {
  const oldest = entities[ids.at(-1) ?? ''];
  return end === null || (oldest !== undefined && createdAt > oldest.createdAt);
}

function belongs(one: Case | undefined, { statusType, search }: ListQuery): boolean {
  if (one?.statusType !== statusType) return false;
  return search === '' || matchesSearch(one, search);
}

function touch(state: CasesState, id: string) {
  if (state.watched?.id === id) state.watched.changes += 1;
}

export const {
  listAsked,
  listCame,
  listGrew,
  listFailed,
  listGivenUp,
  listsOutdated,
  caseHeard,
  caseRead,
  caseWatched,
  caseTouched,
} = slice.actions;
export const casesReducer = slice.reducer;
