import type { Firm } from '@matterdesk/contract/firm.ts';
import type { Integrations } from '@matterdesk/contract/integrations.ts';
import { resource } from './resource.ts';

/** The settings of the firm, stored in the `user` slice; `use-firm.ts` fetches them. */
export const firm = resource<'firm', Firm>({ kept: 1 });

/**
 * Missing settings of the integrations, stored in the `user` slice; `useIntegrations` in `MissingSetup.tsx` fetches
 * them.
 */
export const integrations = resource<'all', Integrations>({ kept: 1 });
