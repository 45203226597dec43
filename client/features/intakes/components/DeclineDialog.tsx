import { zodResolver } from '@hookform/resolvers/zod';
import {
  declineReasons,
  DeclineSchema,
  type Decline,
  type Intake,
} from '@matterdesk/contract/intakes.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../../../api.ts';
import type { ContactField } from '../../../core/contact-field.ts';
import { showFieldErrors } from '../../../core/form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { declineIntake } from '../api.ts';
import { reasonNames } from '../rules.ts';

const reasons = declineReasons.map((value) => ({ value, label: reasonNames[value] }));

export interface DeclineDialogProps {
  intake: Intake;
  /** Whether another lawyer takes it on. */
  isReferral: boolean;
  contactField: ContactField;
  onClose: () => void;
}

/** 'Decline' or 'Refer': to whom, why, and what to remember. */
export function DeclineDialog({ intake, isReferral, contactField, onClose }: DeclineDialogProps) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const form = useForm<z.input<typeof DeclineSchema>, unknown, Decline>({
    defaultValues: { note: '', referredTo: null },
    resolver: zodResolver(DeclineSchema),
  });
  const { register, formState, setError } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const submit = form.handleSubmit(async (values) => {
    if (isReferral && !values.referredTo)
      return setError('referredTo', { message: 'Please select any contact' });
    try {
      await declineIntake(intake.id, values);
      return onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return showFieldErrors(form, error);
    }
  });
  const title = isReferral ? 'Refer' : 'Decline';
  const Contacts = contactField;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      subtitle={`${intake.name} · intake ${intake.number}`}
      size="small"
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {title}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {isReferral && (
          <Field
            label="Referred to"
            error={errors.referredTo?.message}
            hint="One of the firm’s contacts."
          >
            <Contacts
              value={chosen}
              onChange={(option) => {
                setChosen(option);
                form.setValue('referredTo', option?.id ?? null, { shouldDirty: true });
                form.clearErrors('referredTo');
              }}
            />
          </Field>
        )}
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
