import type { UseFormReturn } from 'react-hook-form';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { type EventInputs, skippedTo } from '../rules.form.ts';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'))];

/** When an event is, by the clock of its zone. */
export function TimeFields({ form }: { form: UseFormReturn<EventInputs> }) {
  const { register, setValue, getValues, formState, watch } = form;
  const { errors } = formState;
  const [isAllDay, timeZone] = [watch('allDay'), watch('timeZone')];
  const type = isAllDay ? 'date' : 'datetime-local';
  // The two kinds of input write days and times differently.
  const handleAllDay = (isWhole: boolean) => {
    const time = { start: 'T09:00', end: 'T10:00' } as const;
    for (const name of ['start', 'end'] as const) {
      const day = getValues(name).slice(0, 10);
      setValue(name, isWhole ? day : `${day}${time[name]}`, { shouldDirty: true });
    }
  };
  const hintOf = (wall: string) => {
    const saved = isAllDay ? null : skippedTo(wall, timeZone);
    return saved === null ? undefined : `The clock skips this time: ${saved} will be saved`;
  };
  return (
    <>
      <div className="sm:col-span-2">
        <Checkbox
          label="All day"
          {...register('allDay', {
            onChange: (event: { target: { checked: boolean } }) =>
              handleAllDay(event.target.checked),
          })}
        />
      </div>
      <Field label="Start" error={errors.start?.message} hint={hintOf(watch('start'))}>
        <TextInput type={type} {...register('start')} />
      </Field>
      <Field label="End" error={errors.end?.message} hint={hintOf(watch('end'))}>
        <TextInput type={type} {...register('end')} />
      </Field>
      {!isAllDay && (
        <Field label="Time zone" error={errors.timeZone?.message}>
          <Select
            placeholder="Select a time zone"
            options={zones.includes(timeZone) ? zones : [timeZone, ...zones]}
            {...register('timeZone')}
          />
        </Field>
      )}
    </>
  );
}
