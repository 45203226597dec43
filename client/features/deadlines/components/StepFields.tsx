import type { NewRule, NewRuleSchema } from '@matterdesk/contract/court-rules.ts';
import X from 'lucide-react/icons/x';
import type * as z from 'zod/mini';
import { CheckboxField, NumberField, SelectField, TextField } from '../../../core/fields.tsx';
import type { Form } from '../../../core/form.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { kindOptions, unitOptions } from '../rules.counting.ts';

interface StepFieldsProps {
  form: Form<z.input<typeof NewRuleSchema>, NewRule>;
  place: number;
  /** Undefined for the only step. */
  onRemove: (() => void) | undefined;
}

const directions = [
  { value: 'after', label: 'after' },
  { value: 'before', label: 'before' },
];
const rolls = [
  { value: 'forwards', label: 'To the next court day' },
  { value: 'backwards', label: 'To the previous court day' },
  { value: 'none', label: 'Not at all' },
];

/** One deadline that a rule counts. */
export function StepFields({ form, place, onRemove }: StepFieldsProps) {
  const field = <Name extends string>(member: Name) =>
    ({ form, name: `steps.${place}.${member}` }) as const;
  return (
    <fieldset className="mt-5 grid gap-3 border-t border-line pt-4 sm:grid-cols-4">
      <legend className="sr-only">Step {place + 1}</legend>
      <TextField {...field('title')} label="Title" wide />
      <SelectField
        {...field('kind')}
        label="Kind"
        placeholder="Select a kind"
        options={kindOptions}
      />
      <div className="flex items-end justify-between gap-2">
        <CheckboxField {...field('hard')} label="Hard" />
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
      <NumberField {...field('count')} label="Count" min={0} />
      <SelectField {...field('unit')} label="Unit" placeholder="Unit" options={unitOptions} />
      <SelectField
        {...field('direction')}
        label="Direction"
        placeholder="Direction"
        options={directions}
      />
      <NumberField {...field('service')} label="Days for service" min={0} />
      <SelectField
        {...field('roll')}
        label="Roll"
        placeholder="In the direction of counting"
        options={rolls}
        nullable
        wide
      />
      <TextField {...field('authority')} label="Authority" wide />
    </fieldset>
  );
}
