import { IntakeSettingsSchema, type IntakeSettings } from '@matterdesk/contract/intake-settings.ts';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect } from 'react';
import { type Resolver, set, useFieldArray, useForm } from 'react-hook-form';
import { succeeds } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { changeSettings } from '../api.ts';
import { linesOf } from '../rules.forms.ts';

type Inputs = Omit<IntakeSettings, 'sources'> & { sources: string };

const toInputs = (settings: IntakeSettings): Inputs => ({
  ...settings,
  sources: settings.sources.join('\n'),
});
const toBody = (inputs: Inputs): IntakeSettings => ({
  ...inputs,
  sources: linesOf(inputs.sources),
});

const resolver: Resolver<Inputs> = (values) => {
  const { success, error } = IntakeSettingsSchema.safeParse(toBody(values));
  if (success) return { values, errors: {} };
  const errors = {};
  for (const { path, message } of error.issues) {
    const place = path[0] === 'sources' ? 'sources' : path.join('.');
    set(errors, place, { type: 'check', message });
  }
  return { values: {}, errors };
};

interface SettingsFormProps {
  settings: IntakeSettings;
  onSaved: () => void;
  /** Whether there is something to save; stays the same function. */
  onDirty: (isDirty: boolean) => void;
}

/** How fast the firm wants to respond, how long it keeps what it declined, sources, and letters. */
export function SettingsForm({ settings, onSaved, onDirty }: SettingsFormProps) {
  const form = useForm<Inputs>({
    values: toInputs(settings),
    resetOptions: { keepDirtyValues: true },
    resolver,
  });
  const { register, control, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const letters = useFieldArray({ control, name: 'templates' });
  const submit = form.handleSubmit(async (values) => {
    const body = toBody(values);
    if (!(await succeeds(changeSettings(body)))) return;
    form.reset(toInputs(body));
    onSaved();
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Minutes to respond"
          error={errors.responseMinutes?.message}
          hint="After this, an inquiry counts as overdue."
        >
          <TextInput
            type="number"
            inputMode="numeric"
            {...register('responseMinutes', { valueAsNumber: true })}
          />
        </Field>
        <Field
          label="Months to keep"
          error={errors.keepMonths?.message}
          hint="What was declined is then erased, but for what a conflict check needs."
        >
          <TextInput
            type="number"
            inputMode="numeric"
            {...register('keepMonths', { valueAsNumber: true })}
          />
        </Field>
        <Field label="Sources" error={errors.sources?.message} hint="One per line.">
          <TextArea rows={5} {...register('sources')} />
        </Field>
      </div>
      <h3 className="mt-6 mb-1 font-semibold">Letters</h3>
      <p className="mb-3 text-sm text-ink-2">
        {'{name}, {firm}, {date} and {about} are filled in when a letter is written.'}
      </p>
      <ul aria-label="Letters" className="border-t border-line empty:hidden">
        {letters.fields.map(({ id }, index) => (
          <li key={id} className="grid gap-3 border-b border-line py-4 sm:grid-cols-2">
            <Field label="Letter" error={errors.templates?.[index]?.name?.message}>
              <TextInput autoComplete="off" {...register(`templates.${index}.name`)} />
            </Field>
            <div className="flex items-end gap-2">
              <Field
                label="Subject"
                className="grow"
                error={errors.templates?.[index]?.subject?.message}
              >
                <TextInput autoComplete="off" {...register(`templates.${index}.subject`)} />
              </Field>
              <IconButton
                label={`Remove letter ${index + 1}`}
                icon={Trash2}
                variant="quiet"
                onClick={() => letters.remove(index)}
              />
            </div>
            <Field
              label="Text"
              className="sm:col-span-2"
              error={errors.templates?.[index]?.text?.message}
            >
              <TextArea rows={5} {...register(`templates.${index}.text`)} />
            </Field>
          </li>
        ))}
      </ul>
      <Button
        icon={Plus}
        className="mt-3"
        onClick={() => letters.append({ name: '', subject: '', text: '' })}
      >
        Add a letter
      </Button>
      <div className="mt-6 flex flex-wrap items-center gap-3 border-t border-line pt-4">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          Save settings
        </Button>
        {isDirty && !isSubmitting && (
          <Button onClick={() => form.reset(toInputs(settings))}>Discard changes</Button>
        )}
        {isDirty && <p className="text-note text-ink-2">Not saved yet</p>}
      </div>
    </form>
  );
}
