import type { Integrations } from '@matterdesk/contract/integrations.ts';
import { ResourceState } from './entries.ts';
import type { RootState } from './store.ts';

/** Missing settings of the integrations, stored in the `user` slice. */
export const integrationsState = new ResourceState<RootState['user'], 'all', Integrations>({
  name: 'user/integrations',
  of: (state) => state.integrations,
});
