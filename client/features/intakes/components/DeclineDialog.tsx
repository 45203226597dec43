import { zodResolver } from '@hookform/resolvers/zod';
import {
  declineReasons,
  DeclineSchema,
  type Decline,
  type Intake,
} from '@matterdesk/contract/intakes.ts';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { declineIntake } from '../api.ts';
import { reasonNames } from '../rules.ts';

const reasons = declineReasons.map((value) => ({ value, label: reasonNames[value] }));

/** 'Decline': why, and what to remember. */
export function DeclineDialog({ intake, onClose }: { intake: Intake; onClose: () => void }) {
  const form = useForm<z.input<typeof DeclineSchema>, unknown, Decline>({
    defaultValues: { note: '', referredTo: null },
    resolver: zodResolver(DeclineSchema),
  });
  const { register, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await declineIntake(intake.id, values);
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
      title="Decline"
      subtitle={`${intake.name} · intake ${intake.number}`}
      size="small"
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Decline
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="Reason" error={errors.reason?.message}>
          <Select placeholder="Select a reason" options={reasons} {...register('reason')} />
        </Field>
        <Field
          label="Note"
          error={errors.note?.message}
          hint="For the firm alone. It is erased with the story."
        >
          <TextArea {...register('note')} />
        </Field>
      </div>
    </Dialog>
  );
}
