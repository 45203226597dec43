import {
  type Check,
  type Conclusion,
  type Decision,
  conflictRoutes as routes,
  type NewCheckSchema,
  type NewDecisionSchema,
} from '@matterdesk/contract/conflicts.ts';
import { alertRoutes } from '@matterdesk/contract/conflict-alerts.ts';
import type * as z from 'zod/mini';
import { call } from '../../api.ts';
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

async function changed(saving: Promise<{ check: Check }>): Promise<Check> {
  const { check } = await saving;
  store.dispatch(checksChanged());
  return check;
}

export function runCheck(body: z.input<typeof NewCheckSchema>, idempotencyKey: string) {
  const failing = 'Couldn’t run the check';
  return changed(call(routes.runCheck, { body, idempotencyKey, failing }));
}

export function decide(id: string, body: z.input<typeof NewDecisionSchema>) {
  const failing = 'Couldn’t save the decision';
  return changed(call(routes.decideHits, { params: { id }, body, failing }));
}

export function conclude(id: string, body: Conclusion) {
  const failing = 'Couldn’t conclude the check';
  return changed(call(routes.concludeCheck, { params: { id }, body, failing }));
}

export function rerun(id: string) {
  const failing = 'Couldn’t run the check again';
  return changed(call(routes.rerunCheck, { params: { id }, failing }));
}

export async function readAlerts(signal: AbortSignal) {
  return (await call(alertRoutes.listAlerts, { signal, toasts: 'none' })).alerts;
}

export async function decideAlert(
  id: string,
  body: { decision: Decision; reason: string },
  idempotencyKey: string,
): Promise<void> {
  const failing = 'Couldn’t save the decision';
  await call(alertRoutes.decideAlert, { params: { id }, body, idempotencyKey, failing });
  store.dispatch(alertsChanged());
}
