// Public forms, as administrators build them.

import {
  findFormErrors,
  type IntakeForm,
  type IntakeFormPatch,
  type NewIntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import { type ActorContext, type Context, write } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { invalidFields, notFound, Refusal } from '../../../core/refusal.ts';
import { isDuplicate } from '../../../db/connect.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { requireAssignable } from '../../accounts/service.ts';
import * as store from './store.ts';

export async function listForms(context: Context) {
  return { forms: await store.listForms(context.db) };
}

/** @throws Refusal invalidInput, alreadyExists for a taken address */
export function addForm(context: ActorContext, form: NewIntakeForm): Promise<{ form: IntakeForm }> {
  return writeForms(context, async (unit) => {
    await checkForm(unit, form);
    const added = await store.insertForm(unit.trx, form);
    await unit.record({ ...aboutForm(added), action: 'created', after: added });
    return { form: added };
  });
}

/** @throws Refusal notFound, invalidInput, alreadyExists */
export function changeForm(
  context: ActorContext,
  id: string,
  patch: IntakeFormPatch,
): Promise<{ form: IntakeForm }> {
  return writeForms(context, async (unit) => {
    const before = isId(id) ? await store.lockForm(unit.trx, id) : undefined;
    if (!before) throw notFound('Form');
    const given = Object.entries(patch).filter(([, value]) => value !== undefined);
    const wanted: IntakeForm = {
      ...before,
      ...(Object.fromEntries(given) as Partial<IntakeForm>),
    };
    await checkForm(unit, wanted, before.owners);
    const form = await store.updateForm(unit.trx, wanted);
    await unit.record({ ...aboutForm(form), action: 'updated', before, after: form });
    return { form };
  });
}

async function writeForms<T>(context: ActorContext, work: (unit: Unit) => Promise<T>): Promise<T> {
  try {
    return await write(context, work);
  } catch (error) {
    if (!isDuplicate(error, 'intake_forms_slug_key')) throw error;
    const taken = { path: 'slug', message: 'This address is taken' };
    throw new Refusal('alreadyExists', taken.message, { errors: [taken] });
  }
}

async function checkForm(
  unit: Unit,
  form: Omit<IntakeForm, 'id'>,
  already: string[] = [],
): Promise<void> {
  const errors = findFormErrors(form.fields);
  if (errors.length > 0) throw invalidFields(errors);
  const owners = { ids: [...new Set(form.owners)], path: 'owners', already };
  await requireAssignable(unit.trx, owners);
}

function aboutForm({ id }: IntakeForm) {
  return { entity: 'intakeForm', entityId: id } as const;
}
