import { firmRoutes } from '@matterdesk/contract/firm.ts';
import { call } from '../api.ts';
import { firmState } from './firm.ts';
import { Resource } from './resource.ts';
import { useResource } from './use-resource.ts';

const firm = new Resource(firmState, {
  slice: ({ user }) => user,
  kept: 1,
  fetch: async (_: 'firm', { signal }) =>
    (await call(firmRoutes.readFirm, { signal, toasts: 'none' })).firm,
});

/** The settings of the firm. */
export function useFirm() {
  return useResource(firm, 'firm');
}
