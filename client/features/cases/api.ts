import { caseRoutes, type Case, type CasePatch, type NewCase } from '@matterdesk/contract/cases.ts';
import { call, CallError, download } from '../../api.ts';
import type { Dispatch, RootState } from '../../core/store.ts';
import {
  listAsked,
  listCame,
  listFailed,
  listGivenUp,
  listGrew,
  listKey,
  type CasePage,
  type ListQuery,
} from './slice.ts';

const PAGE = 100;
/** A list that may be behind is read afresh as far as it had been read, up to here. */
const READ_AFRESH = 1000;
const ACTIVITY_PAGE = 20;

type Thunk = (dispatch: Dispatch, getState: () => RootState) => Promise<void>;
type Asking = { signal?: AbortSignal | undefined };

/** Reads a list from its beginning, unless it is there or on its way; what is shown stays until all is there. */
export function loadList(query: ListQuery, { signal }: Asking = {}): Thunk {
  return async (dispatch, getState) => {
    const { cases, socket } = getState();
    const list = cases.lists[listKey(query)];
    if (list && (list.asks > 0 || (list.status === 'ready' && list.epoch === socket.epoch))) return;
    dispatch(listAsked({ ...query, epoch: socket.epoch }));
    const wanted = Math.min(list?.ids.length ?? 0, READ_AFRESH);
    await settleAsk(dispatch, query, async () => {
      const page = await readPages(query, wanted, signal);
      dispatch(listCame({ query, page }));
    });
  };
}

/** Reads the next page of a list, unless an ask is under way. */
export function growList(query: ListQuery, { signal }: Asking = {}): Thunk {
  return async (dispatch, getState) => {
    const list = getState().cases.lists[listKey(query)];
    const after = list?.nextCursor;
    if (!list || !after || list.asks > 0) return;
    dispatch(listAsked({ ...query, epoch: list.epoch }));
    await settleAsk(dispatch, query, async () => {
      dispatch(listGrew({ query, after, page: await readPage(query, after, signal) }));
    });
  };
}

async function settleAsk(dispatch: Dispatch, query: ListQuery, ask: () => Promise<void>) {
  try {
    await ask();
  } catch (error) {
    if (error instanceof CallError) dispatch(listFailed({ query, failure: error.message }));
    else dispatch(listGivenUp(query));
  }
}

async function readPages(query: ListQuery, wanted: number, signal: AbortSignal | undefined) {
  const cases: Case[] = [];
  let page: CasePage;
  let after: string | undefined;
  do {
    page = await readPage(query, after, signal);
    cases.push(...page.cases);
    after = page.nextCursor ?? undefined;
  } while (after !== undefined && cases.length < wanted);
  return { ...page, cases };
}

function readPage(
  { statusType, search }: ListQuery,
  cursor: string | undefined,
  signal: AbortSignal | undefined,
) {
  const query = { statusType, search: search || undefined, limit: PAGE, cursor };
  return call(caseRoutes.listCases, {
    query,
    ...(signal && { signal }),
    toasts: 'none',
  });
}

export function readCase(id: string, signal: AbortSignal) {
  return call(caseRoutes.readCase, {
    params: { id },
    signal,
    toasts: 'none',
  });
}

/** What happened to a case, newest first. */
export function readActivity(id: string, cursor: string | undefined, signal: AbortSignal) {
  return call(caseRoutes.readActivity, {
    params: { id },
    query: { limit: ACTIVITY_PAGE, cursor },
    signal,
    toasts: 'none',
    failing: 'The activity was not loaded',
  });
}

export function openCase(body: NewCase, idempotencyKey: string) {
  return call(caseRoutes.openCase, { body, idempotencyKey, failing: 'The case was not created' });
}

export function changeCase(id: string, body: CasePatch) {
  return call(caseRoutes.changeCase, {
    params: { id },
    body,
    failing: 'The case was not changed',
  });
}

/** Checks each row of a CSV file and opens nothing. */
export function tryImport(file: File, signal: AbortSignal) {
  return call(caseRoutes.importCases, {
    query: { dryRun: 1 },
    file,
    signal,
    toasts: 'none',
    failing: 'The file was not read',
  });
}

/** Opens a case for each row of a CSV file, or none. */
export function importCases(file: File) {
  return call(caseRoutes.importCases, { file, failing: 'The cases were not imported' });
}

/** The list as a CSV file. */
export function exportCases({ statusType, search }: ListQuery) {
  const query = { statusType, search: search || undefined };
  return download(caseRoutes.exportCases, { query, failing: 'The list was not exported' });
}
