import { alertRoutes } from '@matterdesk/contract/conflict-alerts.ts';
import type { Decision } from '@matterdesk/contract/conflicts.ts';
import { call } from '../../api.ts';

/** New names that meet others, which wait for a decision. */
export async function readAlerts() {
  return (await call(alertRoutes.listAlerts, { toasts: 'none' })).alerts;
}

export function decideAlert(id: string, body: { decision: Decision; reason: string }) {
  const failing = 'Couldn’t save the decision';
  return call(alertRoutes.decideAlert, { params: { id }, body, failing });
}
