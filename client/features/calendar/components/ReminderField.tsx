import { Controller, type UseFormReturn } from 'react-hook-form';
import { Field } from '../../../ui/Field.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import type { EventInputs } from '../rules.form.ts';
import { reminderInWords } from '../rules.reminders.ts';

const offered = [0, 5, 15, 30, 60, 120, 1440, 2880, 10_080];

/** How long before an event its people are reminded. */
export function ReminderField({ form }: { form: UseFormReturn<EventInputs> }) {
  return (
    <Controller
      control={form.control}
      name="reminders"
      render={({ field, fieldState }) => {
        const value = field.value ?? [];
        const others = value.map(Number).filter((minutes) => !offered.includes(minutes));
        return (
          <Field label="Reminders" error={fieldState.error?.message}>
            <MultiSelect
              {...field}
              value={value}
              options={[...offered, ...others].map((minutes) => ({
                id: String(minutes),
                label: reminderInWords(minutes),
              }))}
              placeholder={field.value === null ? 'Usual for its kind' : 'None'}
            />
          </Field>
        );
      }}
    />
  );
}
