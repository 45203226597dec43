import {
  deadlineKinds,
  type NewRule,
  type NewRuleSchema,
} from '@matterdesk/contract/court-rules.ts';
import X from 'lucide-react/icons/x';
import type { UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { unitOptions } from '../rules.counting.ts';

interface StepFieldsProps {
  form: UseFormReturn<z.input<typeof NewRuleSchema>, unknown, NewRule>;
  place: number;
  /** Undefined for the only step. */
  onRemove: (() => void) | undefined;
}

const kinds = deadlineKinds
  .filter((kind) => kind !== 'limitation')
  .map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));
const directions = [
  { value: 'after', label: 'after' },
  { value: 'before', label: 'before' },
];
const rolls = [
  { value: 'forwards', label: 'To the next court day' },
  { value: 'backwards', label: 'To the previous court day' },
  { value: 'none', label: 'Not at all' },
];
const orNull = { setValueAs: (value: string | null) => value || null };
const asNumber = { valueAsNumber: true };

/** One deadline that a rule counts. */
export function StepFields({ form, place, onRemove }: StepFieldsProps) {
  const { register, formState } = form;
  const errors = formState.errors.steps?.[place];
  const name = <Name extends string>(member: Name) => `steps.${place}.${member}` as const;
  return (
    <fieldset className="mt-5 grid gap-3 border-t border-line pt-4 sm:grid-cols-4">
      <legend className="sr-only">Step {place + 1}</legend>
      <Field label="Title" error={errors?.title?.message} className="sm:col-span-2">
        <TextInput autoComplete="off" {...register(name('title'))} />
      </Field>
      <Field label="Kind" error={errors?.kind?.message}>
        <Select placeholder="Select a kind" options={kinds} {...register(name('kind'))} />
      </Field>
      <div className="flex items-end justify-between gap-2">
        <Checkbox label="Hard" {...register(name('hard'))} />
        {onRemove && (
          <IconButton
            label={`Remove step ${place + 1}`}
            icon={X}
            variant="quiet"
            size="small"
            onClick={onRemove}
          />
        )}
      </div>
      <Field label="Count" error={errors?.count?.message}>
        <TextInput type="number" min={0} {...register(name('count'), asNumber)} />
      </Field>
      <Field label="Unit" error={errors?.unit?.message}>
        <Select placeholder="Unit" options={unitOptions} {...register(name('unit'))} />
      </Field>
      <Field label="Direction" error={errors?.direction?.message}>
        <Select placeholder="Direction" options={directions} {...register(name('direction'))} />
      </Field>
      <Field label="Days for service" error={errors?.service?.message}>
        <TextInput type="number" min={0} {...register(name('service'), asNumber)} />
      </Field>
      <Field label="Roll" error={errors?.roll?.message} className="sm:col-span-2">
        <Select
          placeholder="In the direction of counting"
          options={rolls}
          {...register(name('roll'), orNull)}
        />
      </Field>
      <Field label="Authority" error={errors?.authority?.message} className="sm:col-span-2">
        <TextInput autoComplete="off" {...register(name('authority'))} />
      </Field>
    </fieldset>
  );
}
