import { acceptingRoutes, type Accept } from '@matterdesk/contract/intake-accepting.ts';
import { intakeFileRoutes } from '@matterdesk/contract/intake-files.ts';
import { intakeStatRoutes, type StatGroup } from '@matterdesk/contract/intake-stats.ts';
import { intakeRoutes as routes } from '@matterdesk/contract/intake-routes.ts';
import type { IntakeSettings } from '@matterdesk/contract/intake-settings.ts';
import {
  closedStages,
  openStages,
  type Decline,
  type Intake,
  type IntakePatch,
  type NewIntake,
  type NewNote,
} from '@matterdesk/contract/intakes.ts';
import { call } from '../../api.ts';
import type { IntakeOrigin } from '../../core/make-intake.ts';
import { store } from '../../core/store.ts';
import { intakeChanged, type ListQuery } from './slice.ts';

const stagesOf = {
  open: openStages,
  closed: closedStages,
  new: ['new'],
  all: [...openStages, ...closedStages],
} as const;

export function readList({ tab, owner, search, limit }: ListQuery, signal: AbortSignal) {
  const shown = tab === 'spam' ? { spam: 1 } : { stage: stagesOf[tab].join(',') };
  return call(routes.listIntakes, {
    query: { ...shown, owner: owner || undefined, search: search || undefined, limit },
    signal,
    toasts: 'none',
  });
}

export function readOne(id: string, signal: AbortSignal) {
  return call(routes.readIntake, { params: { id }, signal, toasts: 'none' });
}

async function changed(saving: Promise<{ intake: Intake }>): Promise<Intake> {
  const { intake } = await saving;
  store.dispatch(intakeChanged(intake.id));
  return intake;
}

export function addIntake(body: NewIntake | IntakeOrigin, idempotencyKey: string) {
  const failing = 'Couldn’t add the intake';
  return changed(call(routes.addIntake, { body, idempotencyKey, failing }));
}

export function changeIntake(id: string, body: IntakePatch) {
  const failing = 'Couldn’t save the intake';
  return changed(call(routes.changeIntake, { params: { id }, body, failing }));
}

/** The case that an intake would become. */
export function readProposal(id: string) {
  const failing = 'Couldn’t read the intake';
  return call(acceptingRoutes.readProposal, { params: { id }, failing });
}

/** Opens a case from an intake. */
export async function acceptIntake(id: string, body: Accept, idempotencyKey: string) {
  const failing = 'Couldn’t open the matter';
  const accepted = await call(acceptingRoutes.acceptIntake, {
    params: { id },
    body,
    idempotencyKey,
    failing,
  });
  store.dispatch(intakeChanged(id));
  return accepted;
}

export function declineIntake(id: string, body: Decline) {
  const failing = 'Couldn’t close the intake';
  return changed(call(routes.declineIntake, { params: { id }, body, failing }));
}

export async function addNote(id: string, body: NewNote, idempotencyKey: string) {
  const failing = 'Couldn’t save the note';
  await call(routes.addNote, { params: { id }, body, idempotencyKey, failing });
  store.dispatch(intakeChanged(id));
}

export async function addFile(id: string, file: File) {
  const failing = 'Couldn’t upload the file';
  await call(intakeFileRoutes.addFiles, { params: { id }, file, failing });
  store.dispatch(intakeChanged(id));
}

export async function eraseIntake(id: string) {
  const failing = 'Couldn’t erase the intake';
  await call(routes.eraseIntake, { params: { id }, failing });
  store.dispatch(intakeChanged(id));
}

export function readSettings() {
  return call(routes.readSettings, { toasts: 'none' });
}

export function changeSettings(body: IntakeSettings) {
  return call(routes.changeSettings, { body, failing: 'Couldn’t save the settings' });
}

export function readStats(query: { from: string; to: string; by: StatGroup }) {
  return call(intakeStatRoutes.readStats, { query, toasts: 'none' });
}
