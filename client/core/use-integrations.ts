import { integrationRoutes, type Integrations } from '@matterdesk/contract/integrations.ts';
import { call } from '../api.ts';
import { integrationsState } from './integrations.ts';
import { Resource } from './resource.ts';
import { useResource } from './use-resource.ts';

const integrations = new Resource(integrationsState, {
  slice: ({ user }) => user,
  kept: 1,
  fetch: (_, { signal }) => call(integrationRoutes.listIntegrations, { signal, toasts: 'none' }),
});
/** Unknown: then the page's own calls say what is wrong. */
const UNKNOWN: Integrations = { google: null, twilio: null };

/** What an administrator has still to set, asked for on each connection; undefined until that is known. */
export function useIntegrations(): Integrations | undefined {
  const { data, failure } = useResource(integrations, 'all');
  return data ?? (failure ? UNKNOWN : undefined);
}
