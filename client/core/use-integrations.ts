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
/** Assumed when the check fails; the page's own calls then report what is wrong. */
const UNKNOWN: Integrations = { google: null, twilio: null };

/** Missing settings of the integrations, checked on each connection; undefined until known. */
export function useIntegrations(): Integrations | undefined {
  const { data, failure } = useResource(integrations, 'all');
  return data ?? (failure ? UNKNOWN : undefined);
}
