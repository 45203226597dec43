import { zodResolver } from '@hookform/resolvers/zod';
import { type Letter, LetterSchema } from '@matterdesk/contract/intake-letters.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { useForm } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { useRead } from '../../../core/use-read.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { draftLetter, readLetter } from '../api.forms.ts';
import { readSettings } from '../api.ts';

interface LetterDialogProps {
  intake: Intake;
  onClose: () => void;
}

/** A letter to the person who asks: one of the firm's, changed where it must be, and kept as a draft. */
export function LetterDialog({ intake, onClose }: LetterDialogProps) {
  const { data } = useRead(readSettings);
  const form = useForm<Letter>({
    defaultValues: { subject: '', text: '' },
    resolver: zodResolver(LetterSchema),
  });
  const { register, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const choose = (template: string) =>
    void succeeds(readLetter(intake.id, template).then((letter) => form.reset(letter)));
  const submit = form.handleSubmit(async (letter) => {
    try {
      await draftLetter(intake.id, letter);
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  const names = (data?.settings.templates ?? []).map(({ name }) => name);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Write letter"
      subtitle={`${intake.name} · intake ${intake.number}`}
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save as draft
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field
          label="Letter"
          hint={data && names.length === 0 ? 'Admins add letters under Intakes, Forms.' : undefined}
        >
          <Select
            placeholder="Select a letter"
            options={names}
            onChange={({ target }) => target.value !== '' && choose(target.value)}
          />
        </Field>
        <Field label="Subject" error={errors.subject?.message}>
          <TextInput autoComplete="off" {...register('subject')} />
        </Field>
        <Field label="Text" error={errors.text?.message}>
          <TextArea rows={12} {...register('text')} />
        </Field>
      </div>
    </Dialog>
  );
}
