import type { Firm } from '@matterdesk/contract/firm.ts';
import { resource } from './resource.ts';

/** The settings of the firm, stored in the `user` slice; `use-firm.ts` fetches them. */
export const firm = resource<'firm', Firm>({ kept: 1 });
