import { caseRoutes, activityRoutes } from '@matterdesk/contract/cases.ts';
import { call, CallError, download } from '../../api.ts';
import { everythingStale } from '../../core/connection.ts';
import { matterLost } from '../../core/matter-lost.ts';
import { mutation, type MutationInput } from '../../core/mutation.ts';
import { readToLength } from '../../core/read-to-length.ts';
import type { Dispatch, RootState } from '../../core/store.ts';
import { toast } from '../../ui/toast-store.ts';
import type { ListQuery } from './rules.lists.ts';
import { activity, caseReceived, details, lists, searches } from './slice.ts';

const PAGE = 100;
const ACTIVITY_PAGE = 20;

/** The cases of a tab that match a search. */
export const caseList = lists.fetchedBy((list: ListQuery, fetching) =>
  readToLength('cases', fetching, (cursor) =>
    fetching.read(caseRoutes.listCases, {
      query: { ...list, search: list.search || undefined, limit: PAGE, cursor },
    }),
  ),
);

/** One case, stored in `cases.entities`. */
export const caseDetails = details.fetchedBy((id: string, { read }) =>
  read(caseRoutes.readCase, { params: { id } }),
);

/** The activity of a case, newest first. */
export const caseActivity = activity.fetchedBy((id: string, { read, cursor }) =>
  read(activityRoutes.readActivity, {
    params: { id },
    query: { limit: ACTIVITY_PAGE, cursor },
    failing: 'Couldn’t load the activity',
  }),
);

/** Asks whether the user still sees a case, and stores it or removes all that is stored of it. */
export function recheckAccess(id: string) {
  return async (dispatch: Dispatch, getState: () => RootState): Promise<void> => {
    const held = getState().cases.entities[id];
    try {
      const found = await call(caseRoutes.readCase, { params: { id }, toasts: 'none' });
      dispatch(caseReceived(found.case));
      // A user who was let in sees its tasks, deadlines and mentions, too.
      dispatch(held ? lists.invalidated() : everythingStale());
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 404) return;
      dispatch(matterLost(id));
      if (held) toast.plain(`You no longer have access to ${held.caseName}.`);
    }
  };
}

/** The cases of both tabs that match a text best; the newest without a text. */
export const caseSearch = searches.fetchedBy(({ search, limit }, { read }) =>
  read(caseRoutes.listCases, {
    query: { search, limit, ...(search !== '' && { ranked: 1 }) },
    failing: 'Couldn’t search the cases',
  }),
);

export const openCase = mutation(caseRoutes.openCase, 'Couldn’t create the case', {
  toasts: 'errors',
});

export const changeCase = mutation(caseRoutes.changeCase, 'Couldn’t save the case');

/** The act on several cases reports its outcome itself. */
export function changeCaseQuietly(input: MutationInput<typeof caseRoutes.changeCase>) {
  return call(caseRoutes.changeCase, { ...input, toasts: 'none' });
}

/** Validates each row of a CSV file without creating cases. */
export function tryImport(file: File, mapping: Mapping | null, signal: AbortSignal) {
  return call(caseRoutes.importCases, {
    query: { dryRun: 1 },
    fields: fieldsOf(mapping),
    file,
    signal,
    toasts: 'none',
    failing: 'Couldn’t read the file',
  });
}

/** Creates a case for each row of a CSV file, or none at all. */
export function importCases(file: File, mapping: Mapping | null) {
  return call(caseRoutes.importCases, {
    fields: fieldsOf(mapping),
    file,
    failing: 'Couldn’t import the cases',
  });
}

/** The header of each field, where a person has chosen them. */
export type Mapping = Record<string, string>;

function fieldsOf(mapping: Mapping | null): Record<string, string> {
  return mapping ? { mapping: JSON.stringify(mapping) } : {};
}

/** The list as a CSV file. */
export function exportCases({ statusType, search }: ListQuery) {
  const query = { statusType, search: search || undefined };
  return download(caseRoutes.exportCases, { query, failing: 'Couldn’t export the list' });
}
