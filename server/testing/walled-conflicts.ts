import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import type { CallOptions } from './client.ts';
import type { Target } from './walled-world.ts';

type Fixture = { ask: (target: Target) => CallOptions; shows?: true };

const ways = { emails: [], phoneNumbers: [], otherNames: [] };
const names = [{ name: 'Zebulon Quarrington', role: null, ...ways }];

/** How the routes of conflict checks are asked for a matter behind a wall. */
export const conflictFixtures: [Route, Fixture][] = [
  [conflictRoutes.lookForConflicts, { ask: ({ caseId }) => ({ body: { names, caseId } }) }],
  [conflictRoutes.runCheck, { ask: ({ caseId }) => ({ body: { names, caseId, texts: false } }) }],
  [conflictRoutes.listChecks, { ask: ({ caseId }) => ({ query: { caseId } }), shows: true }],
  [
    conflictRoutes.decideHits,
    {
      ask: ({ checkId: id }) => ({
        params: { id },
        body: { hitIds: [id], decision: 'noConflict', reason: 'Another person', screened: [] },
      }),
    },
  ],
  [
    conflictRoutes.concludeCheck,
    {
      ask: ({ checkId: id }) => ({ params: { id }, body: { outcome: 'cleared', reason: 'None' } }),
    },
  ],
  [conflictRoutes.rerunCheck, { ask: ({ checkId: id }) => ({ params: { id } }) }],
  [conflictRoutes.readCheck, { ask: ({ checkId: id }) => ({ params: { id } }), shows: true }],
];
