import { integrationRoutes, type Integrations } from '@matterdesk/contract/integrations.ts';
import { integrations } from './integrations.ts';
import { useResource } from './use-resource.ts';

const fetched = integrations.fetchedBy((_, { read }) => read(integrationRoutes.listIntegrations));
/** Assumed when the check fails; the page's own calls then report what is wrong. */
const UNKNOWN: Integrations = { google: null, twilio: null };

/** Missing settings of the integrations, checked on each connection; undefined until known. */
export function useIntegrations(): Integrations | undefined {
  const { data, failure } = useResource(fetched, 'all');
  return data ?? (failure ? UNKNOWN : undefined);
}
