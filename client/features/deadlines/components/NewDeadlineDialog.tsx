import { zodResolver } from '@hookform/resolvers/zod';
import { deadlineKinds } from '@matterdesk/contract/court-rules.ts';
import { type NewDeadline, NewDeadlineSchema } from '@matterdesk/contract/deadlines.ts';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../../../api.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { usePeople } from '../../../core/people.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addDeadline } from '../api.ts';

interface NewDeadlineDialogProps {
  matter: Option | null;
  ownerId: string;
  caseField: CaseField;
  onClose: () => void;
}

type Inputs = z.input<typeof NewDeadlineSchema>;

const orNull = { setValueAs: (value: string | null) => value || null };
/** Every matter has its limitation already. */
const kinds = deadlineKinds
  .filter((kind) => kind !== 'limitation')
  .map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

/** 'New deadline' */
export function NewDeadlineDialog(props: NewDeadlineDialogProps) {
  const { caseField: Cases, onClose } = props;
  const [matter, setMatter] = useState(props.matter);
  const withKey = useClickKey();
  const people = usePeople()
    .people.filter(({ active }) => active)
    .map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }));
  const form = useForm<Inputs, unknown, NewDeadline>({
    defaultValues: { ...blank, case: matter?.id ?? null, owner: props.ownerId },
    resolver: zodResolver(NewDeadlineSchema),
  });
  const { control, register, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await withKey(values, (key) => addDeadline(values, key));
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
      title="New deadline"
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Add deadline
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
          <TextInput autoComplete="off" {...register('title')} />
        </Field>
        <Controller
          control={control}
          name="case"
          render={({ field }) => (
            <Field label="Matter" error={errors.case?.message}>
              <Cases
                ref={field.ref}
                value={matter}
                onBlur={field.onBlur}
                onChange={(option) => {
                  setMatter(option);
                  field.onChange(option?.id ?? null);
                }}
              />
            </Field>
          )}
        />
        <Field label="Kind" error={errors.kind?.message}>
          <Select placeholder="Select a kind" options={kinds} {...register('kind')} />
        </Field>
        <Field label="Date" error={errors.date?.message}>
          <TextInput type="date" {...register('date')} />
        </Field>
        <Field label="Time" error={errors.time?.message} hint="Empty: end of day">
          <TextInput type="time" {...register('time', orNull)} />
        </Field>
        <Field label="Owner" error={errors.owner?.message}>
          <Select placeholder="Select any user" options={people} {...register('owner')} />
        </Field>
        <Field label="Second" error={errors.second?.message}>
          <Select placeholder="No one" options={people} {...register('second', orNull)} />
        </Field>
        <div className="sm:col-span-2">
          <Checkbox
            label="Hard deadline"
            hint="Another person verifies its date and decides about every change."
            {...register('hard')}
          />
        </div>
        <Field label="Note" error={errors.note?.message} className="sm:col-span-2">
          <TextArea {...register('note')} />
        </Field>
      </div>
    </Dialog>
  );
}

const blank: Inputs = {
  title: '',
  kind: 'response',
  hard: true,
  date: '',
  time: null,
  owner: '',
  second: null,
  workingDate: null,
  note: '',
  source: null,
};
