import { alertRoutes } from '@matterdesk/contract/conflict-alerts.ts';
import { conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import type { Fixture } from './walled-world.ts';

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
  [conflictRoutes.printCheck, { ask: ({ checkId: id }) => ({ params: { id } }) }],
  [alertRoutes.listAlerts, { reason: 'its hits are filtered like those of checks' }],
  [alertRoutes.decideAlert, { reason: 'an alert on a walled matter is tested beside the route' }],
];
