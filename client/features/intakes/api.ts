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

const refreshIntake = ({ intake }: { intake: Intake }) => store.dispatch(intakeChanged(intake.id));
const refreshIntakeById = (_: unknown, { params }: { params: { id: string } }) =>
  store.dispatch(intakeChanged(params.id));

export const addIntake = mutation(routes.addIntake, 'Couldn’t add the intake', {
  done: refreshIntake,
});
export const changeIntake = mutation(routes.changeIntake, 'Couldn’t save the intake', {
  done: refreshIntake,
});
export const declineIntake = mutation(routes.declineIntake, 'Couldn’t close the intake', {
  done: refreshIntake,
});

/** The case that an intake would become. */
export function readProposal(id: string) {
  const failing = 'Couldn’t read the intake';
  return call(acceptingRoutes.readProposal, { params: { id }, failing });
}

/** Opens a case from an intake. */
export const acceptIntake = mutation(acceptingRoutes.acceptIntake, 'Couldn’t open the matter', {
  done: refreshIntakeById,
});

export const addNote = mutation(routes.addNote, 'Couldn’t save the note', {
  done: refreshIntakeById,
});
export const addFile = mutation(intakeFileRoutes.addFiles, 'Couldn’t upload the file', {
  done: refreshIntakeById,
});
export const eraseIntake = mutation(routes.eraseIntake, 'Couldn’t erase the intake', {
  done: refreshIntakeById,
});

export function readSettings() {
  return readQuietly(routes.readSettings);
}

export const changeSettings = mutation(routes.changeSettings, 'Couldn’t save the settings');

export function readStats(query: { from: string; to: string; by: StatGroup }) {
  return readQuietly(intakeStatRoutes.readStats, { query });
}
