import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useMemo } from 'react';
import { useFieldArray } from 'react-hook-form';
import type * as z from 'zod/mini';
import {
  type Jurisdiction,
  NewRuleSchema,
  type Rule,
  type NewRule,
} from '@matterdesk/contract/court-rules.ts';
import { changedMembers } from '../../../core/changed-members.ts';
import { SelectField, TextField, CheckboxField, NumberField } from '../../../core/fields.tsx';
import { useSave, type Form } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { addRule, changeRule } from '../api.ts';
import { kindOptions, unitOptions } from '../rules.counting.ts';

interface RuleDialogProps {
  /** Null for a new one. */
  rule: Rule | null;
  courts: readonly Jurisdiction[];
  onClose: () => void;
}

const step = {
  title: '',
  kind: 'response',
  hard: true,
  count: 21,
  unit: 'days',
  direction: 'after',
  roll: null,
  service: 0,
  authority: '',
} as const;
const blank = { name: '', trigger: '', steps: [step] };

/** A rule of the firm; each change is a new version, which someone reviews again. */
export function RuleDialog({ rule, courts, onClose }: RuleDialogProps) {
  const court = courts[0]?.id ?? '';
  const now = useMemo(() => {
    const { name, jurisdiction, trigger, steps } = rule ?? { ...blank, jurisdiction: court };
    return { name, jurisdiction, trigger, steps: [...steps], reviewed: false };
  }, [rule, court]);
  const saving = useSave(NewRuleSchema, now, async (values, key) => {
    if (rule) {
      const changed = changedMembers<NewRule>(now, values);
      if (Object.keys(changed).length > 0)
        await changeRule({ params: { id: rule.id }, body: { ...changed, reviewed: false } });
    } else await addRule({ body: values, idempotencyKey: key });
    onClose();
  });
  const { form } = saving;
  useOthersChanges(form, rule && now);
  const list = useFieldArray({ control: form.control, name: 'steps' });
  const changedBeside = form.formState.errors.steps?.message;
  return (
    <FormDialog
      saving={saving}
      size="large"
      title={rule ? `Edit ${rule.name}` : 'New rule'}
      subtitle="Saving makes a new version, not yet reviewed. Deadlines keep the version that counted them."
      submit="Save rule"
      onClose={onClose}
    >
      <TextField form={form} name="name" label="Name" />
      <SelectField
        form={form}
        name="jurisdiction"
        label="Jurisdiction"
        placeholder="Select a jurisdiction"
        options={courts.map(({ id, name: label }) => ({ value: id, label }))}
      />
      <TextField
        form={form}
        name="trigger"
        label="Counts from"
        placeholder="Complaint served"
        wide
      />
      <div className="sm:col-span-2">
        {list.fields.map((field, place) => (
          <StepFields
            key={field.id}
            form={form}
            place={place}
            onRemove={list.fields.length > 1 ? () => list.remove(place) : undefined}
          />
        ))}
        {changedBeside !== undefined && <p className="mt-3 text-note text-red">{changedBeside}</p>}
        <Button size="small" icon={Plus} className="mt-4" onClick={() => list.append(step)}>
          Add step
        </Button>
      </div>
    </FormDialog>
  );
}

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
function StepFields({ form, place, onRemove }: StepFieldsProps) {
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
