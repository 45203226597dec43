// The figures of the overview.

import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import type { Binder } from '../../http/bind.ts';
import type { DashboardService } from './service.ts';

export function bindDashboard(binder: Binder, service: DashboardService) {
  binder.bind(dashboardRoutes.readOverview, ({ actor, query }) =>
    service.readOverview(actor, query.today),
  );
}
