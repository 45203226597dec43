import { zodResolver } from '@hookform/resolvers/zod';
import {
  type Deadline,
  type DeadlineDetails,
  DeadlineDetailsSchema,
} from '@matterdesk/contract/deadlines.ts';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { usePeople } from '../../../core/people.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { changeDeadline } from '../api.ts';
import { daysOfText } from '../rules.ts';

const orNull = { setValueAs: (value: string | null) => value || null };
const asDays = {
  setValueAs: (value: string | number[]) => (typeof value === 'string' ? daysOfText(value) : value),
};

/** Everything of a deadline but its date. */
export function EditDialog({ deadline, onClose }: { deadline: Deadline; onClose: () => void }) {
  const { owner, second, hard } = deadline;
  const people = usePeople()
    .people.filter(({ active, id }) => active || id === owner?.id || id === second?.id)
    .map(({ id, firstName, lastName }) => ({ value: id, label: `${firstName} ${lastName}` }));
  const form = useForm<z.input<typeof DeadlineDetailsSchema>, unknown, DeadlineDetails>({
    defaultValues: {
      title: deadline.title,
      note: deadline.note,
      workingDate: deadline.workingDate,
      owner: owner?.id ?? '',
      second: second?.id ?? null,
      warnDays: deadline.warnDays,
    },
    resolver: zodResolver(DeadlineDetailsSchema),
  });
  const { register, formState } = form;
  const { errors, isDirty, isSubmitting, dirtyFields } = formState;
  const submit = form.handleSubmit(async (values) => {
    const changed = Object.entries(values).filter(([name]) => name in dirtyFields);
    try {
      if (changed.length > 0) await changeDeadline(deadline.id, Object.fromEntries(changed));
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
      title="Edit deadline"
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save deadline
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
          <TextInput autoComplete="off" {...register('title')} />
        </Field>
        <Field label="Owner" error={errors.owner?.message}>
          <Select placeholder="Select any user" options={people} {...register('owner')} />
        </Field>
        <Field label="Second" error={errors.second?.message}>
          <Select placeholder="No one" options={people} {...register('second', orNull)} />
        </Field>
        <Field label="Working date" error={errors.workingDate?.message}>
          <TextInput type="date" {...register('workingDate', orNull)} />
        </Field>
        <Field
          label="Warn days before"
          error={errors.warnDays?.message}
          hint={hard ? 'Of a hard deadline, days can only be added' : 'Such as 3, 0'}
        >
          <TextInput
            inputMode="numeric"
            {...register('warnDays', asDays)}
            defaultValue={deadline.warnDays.join(', ')}
          />
        </Field>
        <Field label="Note" error={errors.note?.message} className="sm:col-span-2">
          <TextArea {...register('note')} />
        </Field>
      </div>
    </Dialog>
  );
}
