import {
  type Check,
  conflictRoutes as routes,
  alertRoutes,
} from '@matterdesk/contract/conflicts.ts';
import { intakeChecked } from '../../core/intake-check.ts';
import { mutation } from '../../core/mutation.ts';
import type { Fetching } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { alertsChanged, type CheckFilters, checksChanged, type LookQuery } from './slice.ts';

const PAGE = 30;

export async function look({ name, role, caseId, intakeId }: LookQuery, { read }: Fetching) {
  const body = {
    names: [{ name, role: role || null }],
    caseId: caseId || undefined,
    intakeId: intakeId || undefined,
  };
  return (await read(routes.lookForConflicts, { body })).hits;
}

export function readList({ search, caseId, intakeId }: CheckFilters, { read, cursor }: Fetching) {
  const query = {
    search: search || undefined,
    caseId: caseId || undefined,
    intakeId: intakeId || undefined,
    limit: PAGE,
    cursor,
  };
  return read(routes.listChecks, { query });
}

export async function readCheck(id: string, { read }: Fetching) {
  return (await read(routes.readCheck, { params: { id } })).check;
}

export async function readAlerts({ read }: Fetching) {
  return (await read(alertRoutes.listAlerts)).alerts;
}

const done = ({ check: { subject } }: { check: Check }) => {
  store.dispatch(checksChanged());
  // The server's event reaches the other tabs alone.
  if (subject?.kind === 'intakes') store.dispatch(intakeChecked(subject.id));
};

export const runCheck = mutation(routes.runCheck, 'Couldn’t run the check', { done });
export const decideHits = mutation(routes.decideHits, 'Couldn’t save the decision', { done });
export const concludeCheck = mutation(routes.concludeCheck, 'Couldn’t conclude the check', {
  done,
});
export const rerunCheck = mutation(routes.rerunCheck, 'Couldn’t run the check again', { done });

export const decideAlert = mutation(alertRoutes.decideAlert, 'Couldn’t save the decision', {
  done: () => store.dispatch(alertsChanged()),
});
