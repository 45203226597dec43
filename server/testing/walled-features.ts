import { randomUUID } from 'node:crypto';
import { alertRoutes, conflictRoutes } from '@matterdesk/contract/conflicts.ts';
import { contactRoutes } from '@matterdesk/contract/contacts.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { importRoutes } from '@matterdesk/contract/imports.ts';
import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import {
  letterRoutes,
  intakeRoutes,
  intakeStatRoutes,
} from '@matterdesk/contract/intake-routes.ts';
import { intakeFileRoutes } from '@matterdesk/contract/intakes.ts';
import { packRoutes } from '@matterdesk/contract/packs.ts';
import { proposalRoutes } from '@matterdesk/contract/proposals.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { templateRoutes } from '@matterdesk/contract/templates.ts';
import { newDeadline, newCase } from './factories.ts';
import type { Fixture, Target } from './walled-world.ts';

const ways = { emails: [], phoneNumbers: [], otherNames: [] };
const names = [{ name: 'Zebulon Quarrington', role: null, ...ways }];

/** Requests of the conflict-check routes for a matter behind a wall. */
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

/** Requests for a client and a witness who are only in the walled matter. */
export const contactFixtures: [Route, Fixture][] = [
  [contactRoutes.listContacts, { ask: () => ({ query: { limit: 200 } }), shows: true }],
  [contactRoutes.readContact, { ask: ({ contactId: id }) => ({ params: { id } }), shows: true }],
  [contactRoutes.addContact, { reason: 'adds a contact of no matter' }],
  [
    contactRoutes.changeContact,
    {
      ask: ({ contactId: id }) => ({ params: { id }, body: { notes: 'Calls late' } }),
      shows: true,
    },
  ],
  ...[contactRoutes.mergeContacts, contactRoutes.unmergeContacts, contactRoutes.keepApart].map(
    (route): [Route, Fixture] => [
      route,
      { ask: ({ contactId: id, witnessId: from }) => ({ params: { id }, body: { from } }) },
    ],
  ),
  [contactRoutes.deleteContact, { ask: ({ contactId: id }) => ({ params: { id } }) }],
  [contactRoutes.listParties, { ask: ({ caseId: id }) => ({ params: { id } }), shows: true }],
  [
    contactRoutes.addParty,
    {
      ask: ({ caseId: id, witnessId: contactId }) => ({
        params: { id },
        body: { role: 'expert', note: '', contactId },
      }),
    },
  ],
  [
    contactRoutes.changeParty,
    {
      ask: ({ caseId: id, partyId }) => ({ params: { id, partyId }, body: { note: 'Saw it' } }),
      shows: true,
    },
  ],
  [contactRoutes.removeParty, { ask: ({ caseId: id, partyId }) => ({ params: { id, partyId } }) }],
];

/** Requests for a deadline of the walled matter, and for a proposal to move it. */
export const deadlineFixtures: [Route, Fixture][] = [
  [
    deadlineRoutes.listDeadlines,
    { ask: ({ caseId }) => ({ query: { case: caseId } }), shows: true },
  ],
  [deadlineRoutes.listIdleCases, { ask: () => ({}) }],
  [deadlineRoutes.listUndatedCases, { ask: () => ({}) }],
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
        body: { case: caseId, rule, owner, trigger: { title: 'Served', date: '2038-02-02' } },
      }),
    },
  ],
  [proposalRoutes.listProposals, { ask: () => ({}), shows: true }],
  [
    proposalRoutes.decideProposal,
    { ask: ({ proposalId: id }) => ({ params: { id }, body: { accept: [] } }) },
  ],
];

const theFirm = { reason: 'tells of the settings and the forms of the firm' };
const one = ({ intakeId: id }: Target) => ({ params: { id } });
const file = ({ intakeId: id, name }: Target) => ({ params: { id, name } });
const YEARS = { from: '2020-01-01', to: '2039-12-31' };

/** Requests for an inquiry behind a wall of its own. */
export const intakeFixtures: [Route, Fixture][] = [
  [intakeRoutes.listIntakes, { ask: () => ({ query: { limit: 200 } }), shows: true }],
  [intakeRoutes.readIntake, { ask: one, shows: true }],
  [intakeRoutes.addIntake, { reason: 'adds an intake that is open' }],
  [
    intakeRoutes.changeIntake,
    { ask: (target) => ({ ...one(target), body: { nextStep: 'Wait' } }), shows: true },
  ],
  [
    intakeRoutes.addNote,
    { ask: (target) => ({ ...one(target), body: { kind: 'note', text: 'Called' } }) },
  ],
  [
    intakeRoutes.declineIntake,
    { ask: (target) => ({ ...one(target), body: { reason: 'scope' } }) },
  ],
  [intakeRoutes.eraseIntake, { ask: one }],
  [intakeRoutes.readSettings, theFirm],
  [intakeRoutes.changeSettings, theFirm],
  ...Object.values(intakeFormRoutes).map((route): [Route, Fixture] => [route, theFirm]),
  [
    letterRoutes.readLetter,
    { ask: (target) => ({ ...one(target), query: { template: 'Decline' } }) },
  ],
  [
    letterRoutes.draftLetter,
    { ask: (target) => ({ ...one(target), body: { subject: 'Hello', text: 'We decline' } }) },
  ],
  [intakeFileRoutes.addFiles, { reason: 'is asked below, with parts' }],
  [intakeFileRoutes.readFile, { ask: file, shows: true }],
  [intakeFileRoutes.deleteFile, { ask: file }],
  [acceptingRoutes.readProposal, { ask: one, shows: true }],
  [acceptingRoutes.acceptIntake, { ask: (target) => ({ ...one(target), body: newCase() }) }],
  [intakeStatRoutes.readStats, { ask: () => ({ query: { ...YEARS, by: 'source' } }), shows: true }],
];

/** Imports of the firm, for admins alone. */
export const importFixtures = Object.values(importRoutes).map((route): [Route, Fixture] => [
  route,
  {
    reason:
      'tells of exports of other systems, and reads matters as its admin, which is tested beside the route',
  },
]);

/** Packs of a matter, for its people alone. */
export const packFixtures: [Route, Fixture][] = [
  [packRoutes.makePack, { ask: ({ caseId: id }) => ({ params: { id }, body: { dryRun: true } }) }],
  [packRoutes.listPacks, { ask: ({ caseId: id }) => ({ params: { id } }) }],
  [
    packRoutes.readPackVolume,
    { reason: 'is opened by the user who asked for the pack, which is tested beside the route' },
  ],
];

/** Templates belong to the firm; what is made from them, to matters. */
export const templateFixtures: [Route, Fixture][] = [
  ...Object.values(templateRoutes).map((route): [Route, Fixture] => [
    route,
    { reason: 'tells of templates, which belong to the firm' },
  ]),
  [
    templateRoutes.makeDocuments,
    { ask: ({ caseId: id }) => ({ params: { id }, body: { template: randomUUID() } }) },
  ],
  [templateRoutes.listDocuments, { ask: ({ caseId: id }) => ({ params: { id } }) }],
];
