import {
  findFormErrors,
  type IntakeForm,
  type IntakeFormPatch,
  type NewIntakeForm,
} from '@matterdesk/contract/intake-forms.ts';
import type { Actor } from '../../../core/actor.ts';
import { isId } from '../../../core/ids.ts';
import { invalidFields, notFound, Refusal } from '../../../core/refusal.ts';
import { isDuplicate } from '../../../db/connect.ts';
import type { Database } from '../../../db/schema.ts';
import type { Unit, Writer } from '../../../db/unit-of-work.ts';
import type { AccountService } from '../../accounts/service.ts';
import * as store from './store.ts';

type Parts = { db: Database; writer: Writer; accounts: AccountService };

/** The firm's public forms, as admins build them. */
export class FormService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async listForms() {
    return { forms: await store.listForms(this.#parts.db) };
  }

  /** @throws Refusal invalidInput, alreadyExists for a taken address */
  addForm(actor: Actor, form: NewIntakeForm): Promise<{ form: IntakeForm }> {
    return this.#write(actor, async (unit) => {
      await this.#check(unit, form);
      const added = await store.insertForm(unit.trx, form);
      await unit.record({ ...about(added), action: 'created', after: added });
      return { form: added };
    });
  }

  /** @throws Refusal notFound, invalidInput, alreadyExists */
  changeForm(actor: Actor, id: string, patch: IntakeFormPatch): Promise<{ form: IntakeForm }> {
    return this.#write(actor, async (unit) => {
      const before = isId(id) ? await store.lockForm(unit.trx, id) : undefined;
      if (!before) throw notFound('Form');
      const given = Object.entries(patch).filter(([, value]) => value !== undefined);
      const wanted: IntakeForm = {
        ...before,
        ...(Object.fromEntries(given) as Partial<IntakeForm>),
      };
      await this.#check(unit, wanted, before.owners);
      const form = await store.updateForm(unit.trx, wanted);
      await unit.record({ ...about(form), action: 'updated', before, after: form });
      return { form };
    });
  }

  async #write<T>(actor: Actor, work: (unit: Unit) => Promise<T>): Promise<T> {
    try {
      return await this.#parts.writer.run(actor, work);
    } catch (error) {
      if (!isDuplicate(error, 'intake_forms_slug_key')) throw error;
      const taken = { path: 'slug', message: 'This address is taken' };
      throw new Refusal('alreadyExists', taken.message, { errors: [taken] });
    }
  }

  async #check(unit: Unit, form: Omit<IntakeForm, 'id'>, already: string[] = []): Promise<void> {
    const errors = findFormErrors(form.fields);
    if (errors.length > 0) throw invalidFields(errors);
    const asked = { ids: [...new Set(form.owners)], path: 'owners', already };
    await this.#parts.accounts.requireAssignable(unit.trx, asked);
  }
}

function about({ id }: IntakeForm) {
  return { entity: 'intakeForm', entityId: id } as const;
}
