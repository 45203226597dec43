import { alertRoutes } from '@matterdesk/contract/conflict-alerts.ts';
import type { Decision } from '@matterdesk/contract/conflicts.ts';
import { call } from '../../api.ts';
import { Resource } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { alerts, alertsChanged } from './slice.ts';

/** New names that meet others, which wait for a decision. */
export const waitingAlerts = new Resource(alerts, {
  slice: ({ conflicts }) => conflicts,
  kept: 1,
  fetch: async (_, { signal }) =>
    (await call(alertRoutes.listAlerts, { signal, toasts: 'none' })).alerts,
});

export async function decideAlert(
  id: string,
  body: { decision: Decision; reason: string },
  idempotencyKey: string,
): Promise<void> {
  const failing = 'Couldn’t save the decision';
  await call(alertRoutes.decideAlert, { params: { id }, body, idempotencyKey, failing });
  store.dispatch(alertsChanged());
}
