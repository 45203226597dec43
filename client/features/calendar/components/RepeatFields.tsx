import type { UseFormReturn } from 'react-hook-form';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import type { EventInputs } from '../rules.form.ts';
import { repeatsOf, repetitionsOf } from '../rules.repeats.ts';

interface RepeatFieldsProps {
  form: UseFormReturn<EventInputs>;
  event: CalendarEvent | null;
}

const ends = [
  { value: 'until', label: 'On a day' },
  { value: 'count', label: 'After a number of events' },
];

/** Whether and how an event repeats, and until when. */
export function RepeatFields({ form, event }: RepeatFieldsProps) {
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
