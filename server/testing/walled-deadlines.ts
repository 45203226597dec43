import { deadlineRoutes } from '@matterdesk/contract/deadline-routes.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { newDeadline } from './factories.ts';
import type { Fixture } from './walled-world.ts';

/** Of a deadline of the walled matter, and of a proposal to move it. */
export const deadlineFixtures: [Route, Fixture][] = [
  [
    deadlineRoutes.listDeadlines,
    { ask: ({ caseId }) => ({ query: { case: caseId } }), shows: true },
  ],
  [deadlineRoutes.listIdleCases, { ask: () => ({}) }],
  [deadlineRoutes.exportDeadlines, { ask: ({ caseId }) => ({ body: { case: caseId } }) }],
  [
    deadlineRoutes.addDeadline,
    { ask: ({ caseId }, { id }) => ({ body: newDeadline({ case: caseId, owner: id }) }) },
  ],
  [deadlineRoutes.readDeadline, { ask: ({ deadlineId: id }) => ({ params: { id } }), shows: true }],
  [
    deadlineRoutes.changeDeadline,
    { ask: ({ deadlineId: id }) => ({ params: { id }, body: { note: 'x' } }) },
  ],
  [
    deadlineRoutes.verifyDeadline,
    { ask: ({ deadlineId: id }) => ({ params: { id }, body: { date: '2020-01-01' } }) },
  ],
  [deadlineRoutes.acknowledgeDeadline, { ask: ({ deadlineId: id }) => ({ params: { id } }) }],
  [
    deadlineRoutes.proposeChange,
    {
      ask: ({ deadlineId: id }) => ({
        params: { id },
        body: { action: 'complete', reason: 'Filed', proof: 'Stamped' },
      }),
    },
  ],
  [
    deadlineRoutes.decideChange,
    { ask: ({ deadlineId: id }) => ({ params: { id }, body: { accept: true } }) },
  ],
  [
    proposalRoutes.applyRule,
    {
      ask: ({ caseId, ruleId: rule }, { id: owner }) => ({
        body: { case: caseId, rule, owner, trigger: { title: 'Served', date: '2027-02-02' } },
      }),
    },
  ],
  [proposalRoutes.listProposals, { ask: () => ({}), shows: true }],
  [
    proposalRoutes.decideProposal,
    { ask: ({ proposalId: id }) => ({ params: { id }, body: { accept: [] } }) },
  ],
];
