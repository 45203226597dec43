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
import type { EventInputs } from '../rules.form.ts';
import { ReminderField } from './ReminderField.tsx';
import { RepeatFields } from './RepeatFields.tsx';
import { TimeFields } from './TimeFields.tsx';

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
