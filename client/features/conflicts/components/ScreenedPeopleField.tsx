import type { Decision } from '@matterdesk/contract/conflicts.ts';
import { FormField } from '../../../core/fields.tsx';
import type { Form } from '../../../core/form.ts';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';

/** A decision while it is entered. */
export type DecisionInputs = {
  hitIds: string[];
  /** None until one is chosen. */
  decision?: Decision;
  reason: string;
  url: string | null;
  screened: string[];
};

/** Chooses the people who are screened from a matter. */
export function ScreenedPeopleField({ form }: { form: Form<DecisionInputs, DecisionInputs> }) {
  const { people, status } = usePeople();
  const options = people
    .filter(({ active }) => active)
    .map((person) => ({ id: person.id, label: fullName(person), note: person.email }));
  return (
    <FormField form={form} name="screened" label="People who lose access at once">
      <MultiSelect
        options={options}
        value={form.watch('screened')}
        onChange={(ids) => form.setValue('screened', ids)}
        placeholder="Select people"
        loading={status === 'loading'}
      />
    </FormField>
  );
}
