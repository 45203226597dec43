import { createContext } from 'react';
import type { Citation } from '@matterdesk/contract/ai.ts';

/** Whether the cited file has a newer version than the quoted one. */
export const NewerVersions = createContext<(citation: Citation) => boolean>(() => false);
