import { useId, type Ref, useMemo } from 'react';
import { Controller, type FieldPath, useWatch } from 'react-hook-form';
import {
  caseTypes,
  DAYS_OPEN_MAX,
  statuses,
  statusTypes,
  type Person,
} from '@matterdesk/contract/cases.ts';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { usePeople } from '../../../core/people.ts';
import { fullName, humanise } from '../rules.ts';
import type { CaseForm, CaseInputs } from '../hooks/use-case-forms.ts';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';

/** The last day with a four-digit year. */
const LAST_DAY = '9999-12-31';
const NO_PEOPLE: readonly Person[] = [];
const chosen = { setValueAs: (value: string | null) => value || null };
const counted = {
  setValueAs: (value: string | number | null) =>
    value === '' || value === null ? null : Number(value),
};

type TextName = Exclude<FieldPath<CaseInputs>, `assignedUsers${string}`>;

interface CaseFieldsProps {
  form: CaseForm;
  /** Members of the team who can stay though they can no longer be added. */
  already?: readonly Person[];
  /** A SOL in the past that was asked about. */
  pastSol?: string | undefined;
}

/** The fields of a case and its team. */
export function CaseFields({ form, already = NO_PEOPLE, pastSol }: CaseFieldsProps) {
  const { register, control, formState } = form;
  const { people } = usePeople();
  const attorneys = useId();
  const sol = useWatch({ control, name: 'SOL' });
  const field = (name: TextName) => ({
    label: humanise(name),
    required: true,
    error: formState.errors[name]?.message,
  });
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <Field {...field('caseName')}>
        <TextInput autoComplete="off" {...register('caseName')} />
      </Field>
      <Field {...field('caseNo')}>
        <TextInput autoComplete="off" {...register('caseNo')} />
      </Field>
      <Field {...field('statusType')}>
        <Select
          placeholder="Select status type"
          options={statusTypes}
          {...register('statusType', chosen)}
        />
      </Field>
      <Field {...field('status')}>
        <Select placeholder="Select status" options={statuses} {...register('status', chosen)} />
      </Field>
      <Field {...field('type')}>
        <Select placeholder="Select type" options={caseTypes} {...register('type', chosen)} />
      </Field>
      <Field {...field('judge')}>
        <TextInput autoComplete="off" {...register('judge')} />
      </Field>
      <Field {...field('dateOfOpening')}>
        <TextInput type="date" max={LAST_DAY} {...register('dateOfOpening')} />
      </Field>
      <Field {...field('managingAttorney')}>
        <TextInput autoComplete="off" list={attorneys} {...register('managingAttorney')} />
        <datalist id={attorneys}>
          {people
            .filter(({ active }) => active)
            .map((person) => (
              <option key={person.id} value={fullName(person)} />
            ))}
        </datalist>
      </Field>
      <Field {...field('DOI')}>
        <TextInput type="date" max={LAST_DAY} {...register('DOI')} />
      </Field>
      <Field
        {...field('SOL')}
        hint={
          pastSol !== undefined && pastSol === sol
            ? 'This date is in the past. Choose Next again to keep it.'
            : undefined
        }
      >
        <TextInput type="date" max={LAST_DAY} {...register('SOL')} />
      </Field>
      <Field {...field('daysOpen')}>
        <TextInput
          type="number"
          inputMode="numeric"
          min={0}
          max={DAYS_OPEN_MAX}
          // Scrolling the dialog must not change the number.
          onWheel={(event) => event.currentTarget.blur()}
          {...register('daysOpen', counted)}
        />
      </Field>
      <Controller
        control={control}
        name="assignedUsers"
        render={({ field, fieldState }) => (
          <Field label={humanise(field.name)} error={fieldState.error?.message}>
            <TeamSelect {...field} already={already} />
          </Field>
        )}
      />
    </div>
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
