import type { Integrations } from '@matterdesk/contract/integrations.ts';
import { resource } from './resource.ts';

/** Missing settings of the integrations, stored in the `user` slice; `use-integrations.ts` fetches them. */
export const integrations = resource<'all', Integrations>({ kept: 1 });
