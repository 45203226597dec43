import { Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { Combobox } from '../ui/Combobox.tsx';
import { FormField } from './fields.tsx';
import type { Form } from './form.ts';
import { zoneOptions } from './time-zones.ts';
import { useFirm } from './use-firm.ts';

interface TimeZoneFieldProps<Input extends FieldValues, Output> {
  form: Form<Input, Output>;
  name: FieldPath<Input>;
  hint?: string;
}

/** A time zone of the list that the browser knows, the firm's first. */
export function TimeZoneField<Input extends FieldValues, Output>({
  form,
  name,
  ...field
}: TimeZoneFieldProps<Input, Output>) {
  const { data: firm } = useFirm();
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { ref, value, onChange, onBlur } }) => {
        const options = zoneOptions(value, firm?.timeZone);
        return (
          <FormField form={form} name={name} label="Time zone" {...field}>
            <Combobox
              ref={ref}
              value={options.find(({ id }) => id === value) ?? null}
              onChange={(option) => option && onChange(option.id)}
              onBlur={onBlur}
              options={options}
              placeholder="Choose a time zone"
            />
          </FormField>
        );
      }}
    />
  );
}
