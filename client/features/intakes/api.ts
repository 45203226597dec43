import { acceptingRoutes } from '@matterdesk/contract/intake-acceptance.ts';
import {
  intakeStatRoutes,
  type StatGroup,
  intakeRoutes as routes,
} from '@matterdesk/contract/intake-routes.ts';
import { intakeFileRoutes, type Intake } from '@matterdesk/contract/intakes.ts';
import { call } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { readQuietly } from '../../core/use-read.ts';
import { intakeChanged } from './slice.ts';

const done = ({ intake }: { intake: Intake }) => store.dispatch(intakeChanged(intake.id));
const doneTo = (_: unknown, { params }: { params: { id: string } }) =>
  store.dispatch(intakeChanged(params.id));

export const addIntake = mutation(routes.addIntake, 'Couldn’t add the intake', { done });
export const changeIntake = mutation(routes.changeIntake, 'Couldn’t save the intake', { done });
export const declineIntake = mutation(routes.declineIntake, 'Couldn’t close the intake', { done });

/** The case that an intake would become. */
export function readProposal(id: string) {
  const failing = 'Couldn’t read the intake';
  return call(acceptingRoutes.readProposal, { params: { id }, failing });
}

/** Opens a case from an intake. */
export const acceptIntake = mutation(acceptingRoutes.acceptIntake, 'Couldn’t open the matter', {
  done: doneTo,
});

export const addNote = mutation(routes.addNote, 'Couldn’t save the note', { done: doneTo });
export const addFile = mutation(intakeFileRoutes.addFiles, 'Couldn’t upload the file', {
  done: doneTo,
});
export const eraseIntake = mutation(routes.eraseIntake, 'Couldn’t erase the intake', {
  done: doneTo,
});

export function readSettings() {
  return readQuietly(routes.readSettings);
}

export const changeSettings = mutation(routes.changeSettings, 'Couldn’t save the settings');

export function readStats(query: { from: string; to: string; by: StatGroup }) {
  return readQuietly(intakeStatRoutes.readStats, { query });
}
