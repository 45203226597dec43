import { useId, type Ref, useMemo } from 'react';
import { Controller, type FieldPath, useWatch } from 'react-hook-form';
import {
  caseTypes,
  DAYS_OPEN_MAX,
  statuses,
  statusTypes,
  type Person,
} from '@matterdesk/contract/cases.ts';
import { FormField, SelectField, TextField } from '../../../core/fields.tsx';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { humanize } from '../../../core/words.ts';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { type CaseForm, type CaseInputs, type MayLack, nothing } from '../hooks/use-case-forms.ts';

/** The last day with a four-digit year. */
const LAST_DAY = '9999-12-31';
const NO_PEOPLE: readonly Person[] = [];
const counted = {
  setValueAs: (value: string | number | null) =>
    value === '' || value === null ? null : Number(value),
};

type TextName = Exclude<FieldPath<CaseInputs>, `assignedUsers${string}`>;

interface CaseFieldsProps {
  form: CaseForm;
  /** Members of the team who can stay though they can no longer be added. */
  already?: readonly Person[];
  /** A remark on the SOL that is entered. */
  remarkOnSol?: (sol: string) => string | undefined;
  mayLack?: MayLack | undefined;
}

/** The fields of a case and its team. */
export function CaseFields(props: CaseFieldsProps) {
  const { form, already = NO_PEOPLE, remarkOnSol, mayLack = nothing } = props;
  const { people } = usePeople();
  const attorneys = useId();
  const sol = useWatch({ control: form.control, name: 'SOL' });
  const field = (name: TextName) => ({ form, name, ...labelOf(name, mayLack) });
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <TextField {...field('caseName')} />
      <TextField {...field('caseNo')} />
      <SelectField
        {...field('statusType')}
        placeholder="Select status type"
        options={statusTypes}
        nullable
      />
      <SelectField {...field('status')} placeholder="Select status" options={statuses} nullable />
      <SelectField {...field('type')} placeholder="Select type" options={caseTypes} nullable />
      <TextField {...field('judge')} />
      <TextField {...field('dateOfOpening')} type="date" max={LAST_DAY} />
      <TextField {...field('managingAttorney')} list={attorneys} />
      <datalist id={attorneys}>
        {people
          .filter(({ active }) => active)
          .map((person) => (
            <option key={person.id} value={fullName(person)} />
          ))}
      </datalist>
      <TextField {...field('DOI')} hint="DOI (date of injury)" type="date" max={LAST_DAY} />
      <TextField {...field('SOL')} hint={remarkOnSol?.(sol)} type="date" max={LAST_DAY} />
      <DaysOpenField form={form} mayLack={mayLack} />
      <Controller
        control={form.control}
        name="assignedUsers"
        render={({ field }) => (
          <FormField form={form} name="assignedUsers" label={humanize(field.name)}>
            <TeamSelect {...field} already={already} />
          </FormField>
        )}
      />
    </div>
  );
}

/** The label of a field, which says whether the field may stay empty. */
function labelOf(name: string, mayLack: MayLack) {
  const optional = mayLack(name);
  return { label: humanize(name), optional, required: !optional };
}

function DaysOpenField({ form, mayLack }: { form: CaseForm; mayLack: MayLack }) {
  return (
    <FormField form={form} name="daysOpen" {...labelOf('daysOpen', mayLack)}>
      <TextInput
        type="number"
        inputMode="numeric"
        min={0}
        max={DAYS_OPEN_MAX}
        // Scrolling the dialog must not change the number.
        onWheel={(event) => event.currentTarget.blur()}
        {...form.register('daysOpen', counted)}
      />
    </FormField>
  );
}

interface TeamSelectProps {
  value: string[];
  onChange: (ids: string[]) => void;
  onBlur?: () => void;
  ref?: Ref<{ focus: () => void }>;
  /** Inactive members of the team, who can stay or be removed. */
  already: readonly Person[];
}

/** Adds active people to the team of a case, and removes them. */
function TeamSelect({ already, ...rest }: TeamSelectProps) {
  const { people, status } = usePeople();
  const options = useMemo(() => {
    const active = people.filter((person) => person.active);
    const ids = new Set(active.map(({ id }) => id));
    return [
      ...active.map((person) => ({ id: person.id, label: fullName(person), note: person.email })),
      ...already
        .filter(({ id }) => !ids.has(id))
        .map((person) => ({ id: person.id, label: fullName(person), note: 'Inactive' })),
    ];
  }, [people, already]);
  return <MultiSelect {...rest} options={options} loading={status === 'loading'} />;
}
