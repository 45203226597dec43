import { type Jurisdiction, NewRuleSchema, type Rule } from '@matterdesk/contract/court-rules.ts';
import Plus from 'lucide-react/icons/plus';
import { useFieldArray } from 'react-hook-form';
import { SelectField, TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { Button } from '../../../ui/Button.tsx';
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
  const { name, jurisdiction, trigger, steps } = rule ?? {
    name: '',
    jurisdiction: courts[0]?.id ?? '',
    trigger: '',
    steps: [step],
  };
  const saving = useSave(
    NewRuleSchema,
    { name, jurisdiction, trigger, steps: [...steps], reviewed: false },
    async (values, key) => {
      await saveRule(values, rule?.id, key);
      onClose();
    },
  );
  const { form } = saving;
  const list = useFieldArray({ control: form.control, name: 'steps' });
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
        <Button size="small" icon={Plus} className="mt-4" onClick={() => list.append(step)}>
          Add step
        </Button>
      </div>
    </FormDialog>
  );
}
