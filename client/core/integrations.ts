import type { Integrations } from '@matterdesk/contract/integrations.ts';
import { ResourceState } from './entries.ts';
import type { RootState } from './store.ts';

/** What an administrator has still to set; the `user` slice holds it. */
export const integrationsState = new ResourceState<RootState['user'], 'all', Integrations>({
  name: 'user/integrations',
  of: (state) => state.integrations,
});
