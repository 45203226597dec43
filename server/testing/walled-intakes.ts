import { acceptingRoutes } from '@matterdesk/contract/intake-accepting.ts';
import { intakeFileRoutes } from '@matterdesk/contract/intake-files.ts';
import { intakeFormRoutes } from '@matterdesk/contract/intake-forms.ts';
import { letterRoutes } from '@matterdesk/contract/intake-letters.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { intakeStatRoutes } from '@matterdesk/contract/intake-stats.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { newCase } from './factories.ts';
import type { Fixture, Target } from './walled-world.ts';

const theFirm = { reason: 'tells of the settings and the forms of the firm' };
const one = ({ intakeId: id }: Target) => ({ params: { id } });
const file = ({ intakeId: id, name }: Target) => ({ params: { id, name } });
const YEARS = { from: '2020-01-01', to: '2039-12-31' };

/** Of an inquiry behind a wall of its own. */
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
