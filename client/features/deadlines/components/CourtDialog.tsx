import {
  type Holiday,
  type Jurisdiction,
  type NewJurisdiction,
  NewJurisdictionSchema,
} from '@matterdesk/contract/court-rules.ts';
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/field-errors.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { saveJurisdiction } from '../api.ts';
import { Holidays } from './Holidays.tsx';

interface CourtDialogProps {
  /** Null for a new one. */
  court: Jurisdiction | null;
  onClose: () => void;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const blank = { name: '', timeZone: 'America/New_York', weekend: [6, 7], holidays: [] };

/** A court's calendar: changed holidays propose to move what counts by them. */
export function CourtDialog({ court, onClose }: CourtDialogProps) {
  const withKey = useClickKey();
  const { name, timeZone, weekend, holidays } = court ?? blank;
  const form = useForm<z.input<typeof NewJurisdictionSchema>, unknown, NewJurisdiction>({
    defaultValues: { name, timeZone, weekend, holidays },
    resolver: zodResolver(NewJurisdictionSchema),
  });
  const { register, control, formState } = form;
  const { errors, isDirty, isSubmitting } = formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await withKey(values, (key) => saveJurisdiction(values, court?.id, key));
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
      size="large"
      title={court ? `Edit ${court.name}` : 'New jurisdiction'}
      subtitle="A closed clerk’s office is no legal holiday: enter those that the rules name."
      isDirty={isDirty}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save jurisdiction
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={errors.name?.message}>
          <TextInput autoComplete="off" {...register('name')} />
        </Field>
        <Field label="Time zone" error={errors.timeZone?.message}>
          <TextInput autoComplete="off" {...register('timeZone')} />
        </Field>
        <Controller
          control={control}
          name="weekend"
          render={({ field }) => (
            <fieldset className="sm:col-span-2">
              <legend className="mb-1 text-sm font-medium">Not court days</legend>
              <div className="flex flex-wrap gap-x-4 gap-y-1">
                {weekdays.map((day, at) => (
                  <Checkbox
                    key={day}
                    label={day}
                    checked={field.value.includes(at + 1)}
                    onChange={() => field.onChange(toggled(field.value, at + 1))}
                  />
                ))}
              </div>
              {errors.weekend && <p className="text-note text-red">{errors.weekend.message}</p>}
            </fieldset>
          )}
        />
        <Controller
          control={control}
          name="holidays"
          render={({ field }) => (
            <Holidays
              holidays={field.value as Holiday[]}
              error={errors.holidays ? 'Each holiday needs a date and a name' : undefined}
              onChange={field.onChange}
            />
          )}
        />
      </div>
    </Dialog>
  );
}

function toggled(days: readonly number[], day: number): number[] {
  return days.includes(day) ? days.filter((other) => other !== day) : [...days, day];
}
