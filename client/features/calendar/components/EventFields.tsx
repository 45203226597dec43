import { useMemo, useState } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { eventKinds, type CalendarEvent } from '@matterdesk/contract/calendar.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { usePeople } from '../../../core/people.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import type { Option } from '../../../ui/option.ts';
import { Select } from '../../../ui/Select.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { kindLabels } from '../rules.ts';
import { repetitionsOf, type EventInputs } from '../rules.form.ts';

interface EventFieldsProps {
  form: UseFormReturn<EventInputs>;
  event: CalendarEvent | null;
  /** The matter that is proposed, whose name is known already. */
  matter: Option | null;
  caseField: CaseField;
}

/** The fields of an event in their order; the times are those of the reader's own clock. */
export function EventFields({ form, event, matter, caseField: Case }: EventFieldsProps) {
  const { control, register, formState, watch } = form;
  const { errors } = formState;
  const [chosen, setChosen] = useState(event?.case ? optionOf(event.case) : matter);
  const [isAllDay, start] = [watch('allDay'), watch('start')];
  const type = isAllDay ? 'date' : 'datetime-local';
  const people = useAttending(event);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Title" error={errors.title?.message} className="sm:col-span-2">
        <TextInput autoComplete="off" {...register('title')} />
      </Field>
      <Field label="Kind" error={errors.kind?.message}>
        <Select
          placeholder="Select a kind"
          options={eventKinds.map((value) => ({ value, label: kindLabels[value] }))}
          {...register('kind')}
        />
      </Field>
      <Controller
        control={control}
        name="case"
        render={({ field, fieldState }) => (
          <Field label="Matter" error={fieldState.error?.message}>
            <Case
              ref={field.ref}
              value={chosen?.id === field.value ? chosen : null}
              onBlur={field.onBlur}
              onChange={(option) => {
                setChosen(option);
                field.onChange(option?.id ?? '');
              }}
            />
          </Field>
        )}
      />
      <Times form={form} type={type} />
      <Field label="Repeats" error={errors.repeats?.message}>
        <Select placeholder="Never" options={repeating(event, start)} {...register('repeats')} />
      </Field>
      <Field label="Location" error={errors.location?.message}>
        <TextInput autoComplete="off" {...register('location')} />
      </Field>
      <Controller
        control={control}
        name="people"
        render={({ field, fieldState }) => (
          <Field label="People" error={fieldState.error?.message} className="sm:col-span-2">
            <MultiSelect {...field} options={people} placeholder="No one" />
          </Field>
        )}
      />
      <Field label="Link" error={errors.link?.message} className="sm:col-span-2">
        <TextInput inputMode="url" autoComplete="off" {...register('link')} />
      </Field>
      <Field label="Notes" error={errors.notes?.message} className="sm:col-span-2">
        <TextArea {...register('notes')} />
      </Field>
      <Field label="Private" error={errors.private?.message} className="sm:col-span-2">
        <Checkbox label="Others see only that its people are busy" {...register('private')} />
      </Field>
    </div>
  );
}

function Times({ form, type }: { form: UseFormReturn<EventInputs>; type: string }) {
  const { register, setValue, getValues, formState } = form;
  const { errors } = formState;
  // The two kinds of input write days and times differently.
  const handleAllDay = (isAllDay: boolean) => {
    const time = { start: 'T09:00', end: 'T10:00' } as const;
    for (const name of ['start', 'end'] as const) {
      const day = getValues(name).slice(0, 10);
      setValue(name, isAllDay ? day : `${day}${time[name]}`, { shouldDirty: true });
    }
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
      <Field label="Start" error={errors.start?.message}>
        <TextInput type={type} {...register('start')} />
      </Field>
      <Field label="End" error={errors.end?.message}>
        <TextInput type={type} {...register('end')} />
      </Field>
    </>
  );
}

function optionOf({ id, caseName }: { id: string; caseName: string }): Option {
  return { id, label: caseName };
}

/** A rule that the list does not have stays a choice. */
function repeating(event: CalendarEvent | null, start: string) {
  const known = repetitionsOf(start);
  const own = event?.recurrence;
  if (!own || known.some(({ value }) => value === own)) return known;
  return [...known, { value: own, label: 'As it does now' }];
}

/** The active people of the firm, and those who attend already. */
function useAttending(event: CalendarEvent | null): Option[] {
  const { people } = usePeople();
  return useMemo(() => {
    const listed = people.filter(({ active }) => active);
    const others = (event?.people ?? []).filter(({ id }) => !listed.some((one) => one.id === id));
    return [...listed, ...others].map(({ id, firstName, lastName }) => ({
      id,
      label: `${firstName} ${lastName}`,
    }));
  }, [people, event]);
}
