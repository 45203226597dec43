import { Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { FormField } from '../../../core/fields.tsx';
import type { Form } from '../../../core/form.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { zoneOptions } from '../rules.ts';

interface TimeZoneFieldProps<Input extends FieldValues, Output> {
  form: Form<Input, Output>;
  name: FieldPath<Input>;
  hint?: string;
}

/** A time zone of the list that the browser knows. */
export function TimeZoneField<Input extends FieldValues, Output>({
  form,
  name,
  ...field
}: TimeZoneFieldProps<Input, Output>) {
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { ref, value, onChange, onBlur } }) => {
        const options = zoneOptions(value);
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
