import { type IntakeForm, intakeFormRoutes as routes } from '@matterdesk/contract/intake-forms.ts';
import { letterRoutes } from '@matterdesk/contract/intake-routes.ts';
import { call } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';
import { store } from '../../core/store.ts';
import { readQuietly } from '../../core/use-read.ts';
import { intakeChanged } from './slice.ts';

/** The firm's public forms, by name. */
export async function readForms(): Promise<IntakeForm[]> {
  return (await readQuietly(routes.listForms)).forms;
}

export const addForm = mutation(routes.addForm, 'Couldn’t add the form');

export const changeForm = mutation(routes.changeForm, 'Couldn’t save the form');

/** A letter of the firm's, filled in for the person who asks. */
export function readLetter(id: string, template: string) {
  const failing = 'Couldn’t read the letter';
  return call(letterRoutes.readLetter, { params: { id }, query: { template }, failing });
}

/** Keeps a letter as a draft in one's own mailbox. */
export const draftLetter = mutation(letterRoutes.draftLetter, 'Couldn’t save the draft', {
  done: (_, { params }) => store.dispatch(intakeChanged(params.id)),
});
