import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { call } from '../../api.ts';
import { Resource } from '../../core/resource.ts';
import { days } from './slice.ts';

/** The overview of the user's local day, `YYYY-MM-DD`. */
export const overviewOfDay = new Resource(days, {
  slice: ({ overview }) => overview,
  kept: 1,
  fetch: (today, { signal }) =>
    call(dashboardRoutes.readOverview, { query: { today }, signal, toasts: 'none' }),
});
