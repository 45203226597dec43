import {
  type Holiday,
  type Jurisdiction,
  NewJurisdictionSchema,
} from '@matterdesk/contract/court-rules.ts';
import { Controller } from 'react-hook-form';
import { TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
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
  const { name, timeZone, weekend, holidays } = court ?? blank;
  const saving = useSave(
    NewJurisdictionSchema,
    { name, timeZone, weekend, holidays },
    async (values, key) => {
      await saveJurisdiction(values, court?.id, key);
      onClose();
    },
  );
  const { form } = saving;
  const { control, formState } = form;
  const { errors } = formState;
  return (
    <FormDialog
      saving={saving}
      size="large"
      title={court ? `Edit ${court.name}` : 'New jurisdiction'}
      subtitle="Enter only legal holidays; days the clerk’s office is closed don’t count."
      submit="Save jurisdiction"
      onClose={onClose}
    >
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="timeZone" label="Time zone" />
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
    </FormDialog>
  );
}

function toggled(days: readonly number[], day: number): number[] {
  return days.includes(day) ? days.filter((other) => other !== day) : [...days, day];
}
