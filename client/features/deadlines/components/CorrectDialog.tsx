import { zodResolver } from '@hookform/resolvers/zod';
import {
  type Correction,
  CorrectionSchema,
  type Deadline,
} from '@matterdesk/contract/deadlines.ts';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { changeDeadline } from '../api.ts';

const orNull = { setValueAs: (value: string | null) => value || null };

/** Corrects a hard date that no one has verified; verification begins anew. */
export function CorrectDialog({ deadline, onClose }: { deadline: Deadline; onClose: () => void }) {
  const form = useForm<z.input<typeof CorrectionSchema>, unknown, Correction>({
    defaultValues: { date: '', time: deadline.time, reason: '' },
    resolver: zodResolver(CorrectionSchema),
  });
  const { register, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await changeDeadline(deadline.id, values);
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
      title="Correct the date"
      subtitle="It changes at once, and another person verifies the new date."
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Correct date
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Correct date" error={errors.date?.message}>
          <TextInput type="date" {...register('date')} />
        </Field>
        <Field label="Time" error={errors.time?.message} hint="Empty: end of day">
          <TextInput type="time" {...register('time', orNull)} />
        </Field>
        <Field label="Reason" error={errors.reason?.message} className="sm:col-span-2">
          <TextArea {...register('reason')} />
        </Field>
      </div>
    </Dialog>
  );
}
