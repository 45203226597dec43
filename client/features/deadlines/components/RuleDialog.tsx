import { zodResolver } from '@hookform/resolvers/zod';
import {
  type Jurisdiction,
  type NewRule,
  NewRuleSchema,
  type Rule,
} from '@matterdesk/contract/court-rules.ts';
import Plus from 'lucide-react/icons/plus';
import { useFieldArray, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { saveRule } from '../api.ts';
import { StepFields } from './StepFields.tsx';

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

/** A rule of the firm; each change is a new version, which someone reviews again. */
export function RuleDialog({ rule, courts, onClose }: RuleDialogProps) {
  const withKey = useClickKey();
  const { name, jurisdiction, trigger, steps } = rule ?? {
    name: '',
    jurisdiction: courts[0]?.id ?? '',
    trigger: '',
    steps: [step],
  };
  const form = useForm<z.input<typeof NewRuleSchema>, unknown, NewRule>({
    defaultValues: { name, jurisdiction, trigger, steps: [...steps], reviewed: false },
    resolver: zodResolver(NewRuleSchema),
  });
  const { register, control, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const list = useFieldArray({ control, name: 'steps' });
  const submit = form.handleSubmit(async (values) => {
    try {
      await withKey(values, (key) => saveRule(values, rule?.id, key));
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={rule ? `Edit ${rule.name}` : 'New rule'}
      subtitle="A change is a new version, unreviewed again. Deadlines keep the version that counted them."
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save rule
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={errors.name?.message}>
          <TextInput autoComplete="off" {...register('name')} />
        </Field>
        <Field label="Jurisdiction" error={errors.jurisdiction?.message}>
          <Select
            placeholder="Select a jurisdiction"
            options={courts.map(({ id, name: label }) => ({ value: id, label }))}
            {...register('jurisdiction')}
          />
        </Field>
        <Field label="Counts from" error={errors.trigger?.message} className="sm:col-span-2">
          <TextInput autoComplete="off" placeholder="Complaint served" {...register('trigger')} />
        </Field>
      </div>
      {list.fields.map((field, place) => (
        <StepFields
          key={field.id}
          form={form}
          place={place}
          onRemove={list.fields.length > 1 ? () => list.remove(place) : undefined}
        />
      ))}
      <Button size="small" icon={Plus} className="mt-4" onClick={() => list.append(step)}>
        Add step
      </Button>
    </Dialog>
  );
}
