import { zodResolver } from '@hookform/resolvers/zod';
import {
  type ChangeAction,
  type Deadline,
  type NewChange,
  NewChangeSchema,
} from '@matterdesk/contract/deadlines.ts';
import type * as z from 'zod/mini';
import { useForm, useWatch } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { proposeChange } from '../api.ts';

const labels: Record<ChangeAction, string> = {
  move: 'Move the date',
  complete: 'Complete',
  vacate: 'Vacate',
  reopen: 'Reopen',
};

const orNull = { setValueAs: (value: string | null) => value || null };

/** A reasoned change: of a hard deadline it waits for another person. */
export function ChangeDialog({ deadline, onClose }: { deadline: Deadline; onClose: () => void }) {
  const isOpen = deadline.status === 'open';
  // A date that no one has verified is corrected instead.
  const isMovable = !deadline.hard || deadline.verified !== null;
  const choices: ChangeAction[] = isOpen
    ? [...(isMovable ? (['move'] as const) : []), 'complete', 'vacate']
    : ['reopen'];
  const form = useForm<z.input<typeof NewChangeSchema>, unknown, NewChange>({
    defaultValues: {
      action: choices[0] ?? 'reopen',
      date: null,
      time: deadline.time,
      reason: '',
      proof: '',
    },
    resolver: zodResolver(NewChangeSchema),
  });
  const { register, formState, control } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const action = useWatch({ control, name: 'action' });
  const submit = form.handleSubmit(async (values) => {
    try {
      await proposeChange(deadline.id, action === 'move' ? values : { ...values, date: null });
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      showFieldErrors(form, error);
    }
  });
  const title = deadline.hard ? 'Propose a change' : 'Change the deadline';
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      {...(deadline.hard && {
        subtitle: 'Another person decides. Until then the earlier date rules.',
      })}
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {deadline.hard ? 'Propose change' : 'Save change'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Change" error={errors.action?.message} className="sm:col-span-2">
          <Select
            placeholder="Select a change"
            options={choices.map((value) => ({ value, label: labels[value] }))}
            {...register('action')}
          />
        </Field>
        {action === 'move' && (
          <>
            <Field label="New date" error={errors.date?.message}>
              <TextInput type="date" {...register('date', orNull)} />
            </Field>
            <Field label="Time" error={errors.time?.message} hint="Empty: end of day">
              <TextInput type="time" {...register('time', orNull)} />
            </Field>
          </>
        )}
        <Field label="Reason" error={errors.reason?.message} className="sm:col-span-2">
          <TextArea {...register('reason')} />
        </Field>
        {action === 'complete' && deadline.hard && (
          <Field
            label="Proof"
            error={errors.proof?.message}
            hint="What shows that it was met, such as the stamped copy’s address"
            className="sm:col-span-2"
          >
            <TextInput {...register('proof')} />
          </Field>
        )}
      </div>
    </Dialog>
  );
}
