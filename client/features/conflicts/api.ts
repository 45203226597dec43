import { conflictRoutes as routes } from '@matterdesk/contract/conflicts.ts';
import { alertRoutes } from '@matterdesk/contract/conflict-alerts.ts';
import { call } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { alertsChanged, type CheckFilters, checksChanged, type LookQuery } from './slice.ts';

const PAGE = 30;

export async function look({ name, role, caseId, intakeId }: LookQuery, signal: AbortSignal) {
  const body = {
    names: [{ name, role: role || null }],
    caseId: caseId || undefined,
    intakeId: intakeId || undefined,
  };
  return (await call(routes.lookForConflicts, { body, signal, toasts: 'none' })).hits;
}

export function readList(
  { search, caseId, intakeId }: CheckFilters,
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const query = {
    search: search || undefined,
    caseId: caseId || undefined,
    intakeId: intakeId || undefined,
    limit: PAGE,
    cursor,
  };
  return call(routes.listChecks, { query, signal, toasts: 'none' });
}

export async function readCheck(id: string, signal: AbortSignal) {
  return (await call(routes.readCheck, { params: { id }, signal, toasts: 'none' })).check;
}

export async function readAlerts(signal: AbortSignal) {
  return (await call(alertRoutes.listAlerts, { signal, toasts: 'none' })).alerts;
}

const done = () => store.dispatch(checksChanged());

export const runCheck = mutation(routes.runCheck, 'Couldn’t run the check', { done });
export const decideHits = mutation(routes.decideHits, 'Couldn’t save the decision', { done });
export const concludeCheck = mutation(routes.concludeCheck, 'Couldn’t conclude the check', {
  done,
});
export const rerunCheck = mutation(routes.rerunCheck, 'Couldn’t run the check again', { done });

export const decideAlert = mutation(alertRoutes.decideAlert, 'Couldn’t save the decision', {
  done: () => store.dispatch(alertsChanged()),
});
