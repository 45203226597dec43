import {
  type IntakeForm,
  intakeFormRoutes as routes,
  type IntakeFormPatch,
  type NewIntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import { type Letter, letterRoutes } from '@matterdesk/contract/intake-letters.ts';
import { call } from '../../api.ts';
import { store } from '../../core/store.ts';
import { intakeChanged } from './slice.ts';

/** The firm's public forms, by name. */
export async function readForms(): Promise<IntakeForm[]> {
  return (await call(routes.listForms, { toasts: 'none' })).forms;
}

export function addForm(body: NewIntakeForm) {
  return call(routes.addForm, { body, failing: 'Couldn’t add the form' });
}

export function changeForm(id: string, body: IntakeFormPatch) {
  return call(routes.changeForm, { params: { id }, body, failing: 'Couldn’t save the form' });
}

/** A letter of the firm's, filled in for the person who asks. */
export function readLetter(id: string, template: string) {
  const failing = 'Couldn’t read the letter';
  return call(letterRoutes.readLetter, { params: { id }, query: { template }, failing });
}

/** Keeps a letter as a draft in one's own mailbox. */
export async function draftLetter(id: string, body: Letter, idempotencyKey: string) {
  const failing = 'Couldn’t save the draft';
  const params = { id };
  const { draftId } = await call(letterRoutes.draftLetter, {
    params,
    body,
    idempotencyKey,
    failing,
  });
  store.dispatch(intakeChanged(id));
  return draftId;
}
