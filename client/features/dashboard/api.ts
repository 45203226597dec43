import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { call } from '../../api.ts';

/** @param today the reader's day, `YYYY-MM-DD` */
export function readOverview(today: string, signal: AbortSignal) {
  return call(dashboardRoutes.readOverview, { query: { today }, signal, toasts: 'none' });
}
