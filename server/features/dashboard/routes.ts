// The figures of the overview.

import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import type { Binder } from '../../http/bind.ts';
import { readOverview } from './service.ts';

export function serveDashboard(binder: Binder) {
  binder.serve(dashboardRoutes, {
    readOverview: ({ context, query }) => readOverview(context, query.today),
  });
}
