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
import { type EventInputs, skippedTo } from '../rules.form.ts';
import { reminderInWords } from '../rules.reminders.ts';
import { repeatsOf, repetitionsOf } from '../rules.repeats.ts';

interface EventFieldsProps {
  form: UseFormReturn<EventInputs>;
  event: CalendarEvent | null;
  /** The matter that is proposed, whose name is known already. */
  matter: Option | null;
  caseField: CaseField;
}

/** The fields of an event in their order. */
export function EventFields({ form, event, matter, caseField: Case }: EventFieldsProps) {
  const { control, register, formState } = form;
  const { errors } = formState;
  const [chosen, setChosen] = useState(event?.case ? optionOf(event.case) : matter);
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
      <TimeFields form={form} />
      <RepeatFields form={form} event={event} />
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
      <Field
        label="Guests"
        hint="One per line: an address, or Name <address>"
        error={errors.guests?.message}
        className="sm:col-span-2"
      >
        <TextArea {...register('guests')} />
      </Field>
      <ReminderField form={form} />
      <Field label="Link" error={errors.link?.message}>
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

function optionOf({ id, caseName }: { id: string; caseName: string }): Option {
  return { id, label: caseName };
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

const offered = [0, 5, 15, 30, 60, 120, 1440, 2880, 10_080];

/** How long before an event its people are reminded. */
function ReminderField({ form }: { form: UseFormReturn<EventInputs> }) {
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

interface RepeatFieldsProps {
  form: UseFormReturn<EventInputs>;
  event: CalendarEvent | null;
}

const ends = [
  { value: 'until', label: 'On a day' },
  { value: 'count', label: 'After a number of events' },
];

/** Whether and how an event repeats, and until when. */
function RepeatFields({ form, event }: RepeatFieldsProps) {
  const { register, formState, watch } = form;
  const { errors } = formState;
  const [start, repeats, end] = [watch('start'), watch('repeats'), watch('ends')];
  return (
    <>
      <Field label="Repeats" error={errors.repeats?.message}>
        <Select placeholder="Never" options={repeating(event, start)} {...register('repeats')} />
      </Field>
      {repeats !== '' && (
        <Field label="Ends" error={errors.ends?.message}>
          <Select placeholder="Never" options={ends} {...register('ends')} />
        </Field>
      )}
      {repeats !== '' && end === 'until' && (
        <Field label="Last day" error={errors.until?.message}>
          <TextInput type="date" {...register('until')} />
        </Field>
      )}
      {repeats !== '' && end === 'count' && (
        <Field label="Events" error={errors.count?.message}>
          <TextInput inputMode="numeric" autoComplete="off" {...register('count')} />
        </Field>
      )}
    </>
  );
}

/** A rule that the list does not have stays a choice. */
function repeating(event: CalendarEvent | null, start: string) {
  const known = repetitionsOf(start);
  const { repeats } = repeatsOf(event?.recurrence ?? null);
  if (repeats === '' || known.some(({ value }) => value === repeats)) return known;
  return [...known, { value: repeats, label: 'As it does now' }];
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'))];

/** When an event is, by the clock of its zone. */
function TimeFields({ form }: { form: UseFormReturn<EventInputs> }) {
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
