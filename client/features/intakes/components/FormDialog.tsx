import { caseTypes } from '@matterdesk/contract/cases.ts';
import {
  findFormErrors,
  type IntakeForm,
  NewIntakeFormSchema,
} from '@matterdesk/contract/intake-forms.ts';
import { useEffect, useState } from 'react';
import { type Resolver, set, useForm } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { usePeople } from '../../../core/people.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addForm, changeForm } from '../api.forms.ts';
import { blankForm, type FormInputs, placeOf, toBody, toInputs } from '../rules.forms.ts';
import { FormPreview } from './FormPreview.tsx';
import { FormQuestions } from './FormQuestions.tsx';

interface FormDialogProps {
  /** The form to edit; a new one without. */
  form: IntakeForm | null;
  onClose: () => void;
  onSaved: () => void;
  /** Whether there is something to save; stays the same function. */
  onDirty: (isDirty: boolean) => void;
}

type Problem = { path: string; message: string };

function problemsOf(values: FormInputs): Problem[] {
  const { success, data, error } = NewIntakeFormSchema.safeParse(toBody(values));
  if (success) return findFormErrors(data.fields);
  return error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
}

const resolver: Resolver<FormInputs> = (values) => {
  const errors = {};
  for (const { path, message } of problemsOf(values))
    set(errors, placeOf(path), { type: 'check', message });
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
};

/** A public form: its address and words, its questions, where it may be framed, and who gets what comes in. */
export function FormDialog({ form: known, onClose, onSaved, onDirty }: FormDialogProps) {
  const form = useForm<FormInputs>({
    defaultValues: known ? toInputs(known) : blankForm,
    resolver,
  });
  const { register, formState, watch, setValue, setError } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const [isPreview, setIsPreview] = useState(false);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const people = usePeople().people.filter(({ active }) => active);
  const submit = form.handleSubmit(
    async (values) => {
      const body = NewIntakeFormSchema.parse(toBody(values));
      try {
        const { active: _, ...changes } = body;
        await (known ? changeForm(known.id, changes) : addForm(body));
        onSaved();
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        setIsPreview(false);
        for (const { path, message } of error.errors)
          setError(placeOf(path) as 'name', { message });
      }
    },
    () => setIsPreview(false),
  );
  const options = people.map(({ id, firstName, lastName }) => ({
    id,
    label: `${firstName} ${lastName}`,
  }));
  const owners = watch('owners');
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={known ? `Form “${known.name}”` : 'New Form'}
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <span className="flex gap-2">
            <Button
              aria-pressed={isPreview}
              className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
              onClick={() => setIsPreview(!isPreview)}
            >
              Preview
            </Button>
            <Button type="submit" variant="primary" busy={isSubmitting}>
              Save form
            </Button>
          </span>
        </>
      }
    >
      {isPreview && <FormPreview form={form} />}
      <div hidden={isPreview}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" error={errors.name?.message} required>
            <TextInput autoComplete="off" {...register('name')} />
          </Field>
          <Field
            label="Address"
            error={errors.slug?.message}
            hint={`The end of ${location.origin}/intake/…`}
            required
          >
            <TextInput autoComplete="off" spellCheck={false} {...register('slug')} />
          </Field>
          <Field label="Type" error={errors.type?.message}>
            <Select placeholder="Any type" options={caseTypes} {...register('type')} />
          </Field>
          <Field
            label="Owners"
            error={errors.owners?.message}
            hint="What comes in is given to each in turn."
          >
            <MultiSelect
              placeholder="No one in turn"
              options={options}
              value={owners}
              onChange={(ids) => setValue('owners', ids, { shouldDirty: true })}
            />
          </Field>
          <Field label="Intro" error={errors.intro?.message}>
            <TextArea rows={3} {...register('intro')} />
          </Field>
          <Field label="Thanks" error={errors.thanks?.message} required>
            <TextArea rows={3} {...register('thanks')} />
          </Field>
          <Field label="Notice" error={errors.notice?.message} hint="Small print above the boxes.">
            <TextArea rows={3} {...register('notice')} />
          </Field>
          <Field
            label="Websites that may show it"
            error={errors.origins?.message}
            hint="One per line, such as https://www.firm.example."
          >
            <TextArea rows={3} {...register('origins')} />
          </Field>
        </div>
        <FormQuestions form={form} />
      </div>
    </Dialog>
  );
}
