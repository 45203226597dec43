import type { Firm } from '@matterdesk/contract/firm.ts';
import { ResourceState } from './entries.ts';
import type { RootState } from './store.ts';

/** The settings of the firm, stored in the `user` slice. */
export const firmState = new ResourceState<RootState['user'], 'firm', Firm>({
  name: 'user/firm',
  of: (state) => state.firm,
});
