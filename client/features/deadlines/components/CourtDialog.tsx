import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useMemo, useState } from 'react';
import { Controller } from 'react-hook-form';
import {
  type Holiday,
  type Jurisdiction,
  NewJurisdictionSchema,
} from '@matterdesk/contract/court-rules.ts';
import { changedMembers } from '../../../core/changed-members.ts';
import { TextField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { TimeZoneField } from '../../../core/TimeZoneField.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { addJurisdiction, changeJurisdiction } from '../api.ts';

interface CourtDialogProps {
  /** Null for a new one. */
  court: Jurisdiction | null;
  /** Proposed for a new court. */
  firmZone: string;
  onClose: () => void;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const blank = { name: '', weekend: [6, 7], holidays: [] };

/** A court's calendar: changed holidays propose to move what counts by them. */
export function CourtDialog({ court, firmZone, onClose }: CourtDialogProps) {
  const now = useMemo(() => {
    const { name, timeZone, weekend, holidays } = court ?? { ...blank, timeZone: firmZone };
    return { name, timeZone, weekend, holidays };
  }, [court, firmZone]);
  const saving = useSave(NewJurisdictionSchema, now, async (values, key) => {
    if (court) {
      const body = changedMembers(now, values);
      if (Object.keys(body).length > 0)
        await changeJurisdiction({ params: { id: court.id }, body });
    } else await addJurisdiction({ body: values, idempotencyKey: key });
    onClose();
  });
  const { form } = saving;
  useOthersChanges(form, court && now);
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
      <TimeZoneField form={form} name="timeZone" />
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
            error={
              errors.holidays && (errors.holidays.message ?? 'Each holiday needs a date and a name')
            }
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

interface HolidaysProps {
  holidays: readonly Holiday[];
  error: string | undefined;
  onChange: (holidays: Holiday[]) => void;
}

const YEAR = 4;
const FIRST_YEAR = '1900';

/** The holidays of a court, a year at a time. */
function Holidays({ holidays, error, onChange }: HolidaysProps) {
  const [year, setYear] = useState(() => String(new Date().getFullYear()));
  const years = [...new Set([...holidays.map(({ date }) => date.slice(0, YEAR)), year])]
    .filter((known) => known.length === YEAR)
    .toSorted();
  const shown = holidays
    .map((holiday, place) => ({ holiday, place }))
    // A year that is still being typed keeps its row.
    .filter(({ holiday: { date } }) => date.startsWith(year) || date < FIRST_YEAR);
  const change = (place: number, own: Partial<Holiday>) => {
    if (own.date !== undefined && own.date >= FIRST_YEAR) setYear(own.date.slice(0, YEAR));
    onChange(holidays.map((holiday, at) => (at === place ? { ...holiday, ...own } : holiday)));
  };
  return (
    <section aria-label="Holidays" className="sm:col-span-2">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 className="text-sm font-medium">Holidays</h3>
        <Select
          aria-label="Year"
          className="w-28"
          placeholder="Year"
          options={years}
          value={year}
          onChange={({ target }) => setYear(target.value)}
        />
      </div>
      <ul className="space-y-2">
        {shown.map(({ holiday, place }) => (
          <li key={place} className="flex flex-wrap items-center gap-2">
            <div className="w-40">
              <TextInput
                type="date"
                aria-label="Date of the holiday"
                value={holiday.date}
                onChange={({ target }) => change(place, { date: target.value })}
              />
            </div>
            <div className="min-w-40 grow">
              <TextInput
                aria-label="Name of the holiday"
                value={holiday.name}
                onChange={({ target }) => change(place, { name: target.value })}
              />
            </div>
            <Checkbox
              label="State holiday"
              checked={holiday.forwardOnly}
              onChange={({ target }) => change(place, { forwardOnly: target.checked })}
            />
            <IconButton
              label={`Remove ${holiday.name}`}
              icon={X}
              variant="quiet"
              size="small"
              onClick={() => onChange(holidays.filter((_, at) => at !== place))}
            />
          </li>
        ))}
      </ul>
      {error !== undefined && <p className="mt-1 text-note text-red">{error}</p>}
      <Button
        size="small"
        icon={Plus}
        className="mt-3"
        onClick={() => onChange([...holidays, { date: '', name: '', forwardOnly: false }])}
      >
        Add holiday
      </Button>
    </section>
  );
}
