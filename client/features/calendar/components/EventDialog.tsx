import { useMemo, useState } from 'react';
import { Controller } from 'react-hook-form';
import {
  type CalendarEvent,
  eventKinds,
  type EventPatch,
  type SeriesScope,
} from '@matterdesk/contract/calendar.ts';
import {
  DateField,
  FormField,
  MatterField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../../core/fields.tsx';
import { type Form, renameFieldErrors, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { useOthersChanges } from '../../../core/others-changes.ts';
import { usePeople } from '../../../core/people.ts';
import type { CaseField, SourceText } from '../../../core/slots.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { zoneInWords } from '../../../core/time-zones.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { MultiSelect } from '../../../ui/MultiSelect.tsx';
import type { Option } from '../../../ui/option.ts';
import { toast } from '../../../ui/toast-store.ts';
import { addEvent, changeEvent } from '../api.ts';
import {
  changesOf,
  emptyInputs,
  type EventInputs,
  type FoundInMail,
  foundInputs,
  inputsOf,
  skippedTo,
  toNewEvent,
  endErrorOf,
  repeatsOf,
  repetitionsOf,
} from '../rules.form.ts';
import { type GuestQuestion, questionOf } from '../rules.guests.ts';
import type { Times } from '../rules.move.ts';
import { reminderInWords, kindLabels, namesOf } from '../rules.ts';
import { calendarChanged, timeZone } from '../slice.ts';
import { GuestDialog } from './GuestDialog.tsx';
import { ScopeField } from './ScopeField.tsx';

interface EventDialogProps {
  /** The event to change; null for a new one. */
  event: CalendarEvent | null;
  day: string;
  /** When a new event is, if a span was drawn. */
  times: Times | null;
  matter: Option | null;
  /** A date in a mail, from which a new event is made. */
  found?: FoundInMail;
  /** A text from which a new event is made. */
  about?: SourceText;
  caseField: CaseField;
  onClose: () => void;
}

/** Names of the wire's members in the form. */
const placeOf = (path: string) => {
  const [member = path] = path.split('.');
  return member === 'recurrence' ? 'repeats' : member;
};

/** 'New event' and 'Edit event'. */
export function EventDialog(props: EventDialogProps) {
  const { event, day, times, matter, found, about, caseField, onClose } = props;
  const dispatch = useAppDispatch();
  const me = useAppSelector((state) => state.user.current?.id);
  const now = useMemo(() => event && inputsOf(event), [event]);
  const [start] = useState(
    () =>
      now ?? {
        ...emptyInputs(day, { me, timeZone, times }),
        case: matter?.id ?? null,
        ...(found && foundInputs(found)),
        ...(about && { title: about.title, notes: about.text }),
      },
  );
  const [scope, setScope] = useState<SeriesScope>('this');
  const [question, setQuestion] = useState<GuestQuestion | null>(null);
  const finish = async (sending: ReturnType<typeof addEvent>) => {
    const { event: saved, clashes } = await sending.catch(renameFieldErrors(placeOf));
    dispatch(calendarChanged());
    const [clash] = clashes;
    if (clash) toast.plain(`At the same time as “${clash.title}”`);
    const about = questionOf(event, saved);
    if (about) setQuestion(about);
    else onClose();
  };
  const change = (id: string, body: EventPatch) =>
    finish(changeEvent({ params: { id }, query: { scope }, body }));
  const saving = useSave<EventInputs, EventInputs>(null, start, async (inputs, key, form) => {
    const fault = endErrorOf(inputs);
    if (fault) return form.setError(fault.name, { message: fault.message });
    if (!event || !now) {
      const from = inputs.case === matter?.id ? about?.source : null;
      const source = found ? ({ type: 'mail', id: found.mailId } as const) : from;
      const body = { ...toNewEvent(inputs), ...(source && { source }) };
      return finish(addEvent({ body, idempotencyKey: key }));
    }
    const changes = changesOf(now, inputs);
    if (Object.keys(changes).length === 0) return onClose();
    return change(event.id, changes);
  });
  useOthersChanges(saving.form, question ? null : now, event ? wordsOf(event) : {});
  if (question) return <GuestDialog question={question} onClose={onClose} />;
  return (
    <FormDialog
      saving={saving}
      title={event ? 'Edit event' : 'New event'}
      submit="Save"
      onClose={onClose}
      actions={
        event && (
          <Button onClick={() => void succeeds(change(event.id, { cancelled: !event.cancelled }))}>
            {event.cancelled ? 'Bring back' : 'Cancel event'}
          </Button>
        )
      }
    >
      {event?.series != null && (
        <div className="sm:col-span-2">
          <ScopeField value={scope} onChange={setScope} />
        </div>
      )}
      <EventFields form={saving.form} event={event} matter={matter} caseField={caseField} />
    </FormDialog>
  );
}

function wordsOf({ kind, case: matter, people, reminders }: CalendarEvent) {
  return {
    reminders: reminders.map(reminderInWords).join(', '),
    kind: kindLabels[kind],
    people: namesOf(people),
    ...(matter && { case: matter.caseName }),
  };
}

type EventForm = Form<EventInputs, EventInputs>;

interface EventFieldsProps {
  form: EventForm;
  event: CalendarEvent | null;
  /** The matter that is proposed, whose name is known already. */
  matter: Option | null;
  caseField: CaseField;
}

/** The fields of an event in their order. */
function EventFields({ form, event, matter, caseField }: EventFieldsProps) {
  const people = useAttendeeOptions(event);
  const known = event?.case ? optionOf(event.case) : matter;
  return (
    <>
      <TextField form={form} name="title" label="Title" wide />
      <SelectField
        form={form}
        name="kind"
        label="Kind"
        placeholder="Select a kind"
        options={eventKinds.map((value) => ({ value, label: kindLabels[value] }))}
      />
      <MatterField
        form={form}
        name="case"
        label="Matter"
        picker={caseField}
        initial={known?.id === form.getValues('case') ? known : null}
      />
      <TimeFields form={form} />
      <RepeatFields form={form} event={event} />
      <TextField form={form} name="location" label="Location" />
      <Controller
        control={form.control}
        name="people"
        render={({ field }) => (
          <FormField form={form} name="people" label="People" wide>
            <MultiSelect {...field} options={people} placeholder="No one" />
          </FormField>
        )}
      />
      <TextAreaField
        form={form}
        name="guests"
        label="Guests"
        hint="One per line: an address, or Name <address>"
        wide
      />
      <ReminderField form={form} />
      <TextField form={form} name="link" label="Link" inputMode="url" />
      <TextAreaField form={form} name="notes" label="Notes" wide />
      <FormField form={form} name="private" label="Private" wide>
        <Checkbox label="Others see only that its people are busy" {...form.register('private')} />
      </FormField>
    </>
  );
}

function optionOf({ id, caseName }: { id: string; caseName: string }): Option {
  return { id, label: caseName };
}

/** The active people of the firm, and those who attend already. */
function useAttendeeOptions(event: CalendarEvent | null): Option[] {
  const { people } = usePeople();
  return useMemo(() => {
    const listed = people.filter(({ active }) => active);
    const others = (event?.people ?? []).filter(({ id }) => !listed.some((one) => one.id === id));
    return [...listed, ...others].map((person) => ({ id: person.id, label: fullName(person) }));
  }, [people, event]);
}

const offered = [0, 5, 15, 30, 60, 120, 1440, 2880, 10_080];

/** The times before an event at which its people are reminded. */
function ReminderField({ form }: { form: EventForm }) {
  return (
    <Controller
      control={form.control}
      name="reminders"
      render={({ field }) => {
        const value = field.value ?? [];
        const others = value.map(Number).filter((minutes) => !offered.includes(minutes));
        return (
          <FormField form={form} name="reminders" label="Reminders">
            <MultiSelect
              {...field}
              value={value}
              options={[...offered, ...others].map((minutes) => ({
                id: String(minutes),
                label: reminderInWords(minutes),
              }))}
              placeholder={field.value === null ? 'Usual for its kind' : 'None'}
            />
          </FormField>
        );
      }}
    />
  );
}

interface RepeatFieldsProps {
  form: EventForm;
  event: CalendarEvent | null;
}

const ends = [
  { value: 'until', label: 'On a day' },
  { value: 'count', label: 'After a number of events' },
];

/** Whether and how an event repeats, and until when. */
function RepeatFields({ form, event }: RepeatFieldsProps) {
  const [start, repeats, end] = form.watch(['start', 'repeats', 'ends']);
  return (
    <>
      <SelectField
        form={form}
        name="repeats"
        label="Repeats"
        placeholder="Never"
        options={repeatOptions(event, start)}
      />
      {repeats !== '' && (
        <SelectField form={form} name="ends" label="Ends" placeholder="Never" options={ends} />
      )}
      {repeats !== '' && end === 'until' && <DateField form={form} name="until" label="Last day" />}
      {repeats !== '' && end === 'count' && (
        <TextField form={form} name="count" label="Events" inputMode="numeric" />
      )}
    </>
  );
}

/** A rule that the list does not have stays a choice. */
function repeatOptions(event: CalendarEvent | null, start: string) {
  const known = repetitionsOf(start);
  const { repeats } = repeatsOf(event?.recurrence ?? null);
  if (repeats === '' || known.some(({ value }) => value === repeats)) return known;
  return [...known, { value: repeats, label: 'As it does now' }];
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'))];

/** The zones that the browser knows, and the chosen zone. */
function zoneOptions(chosen: string) {
  const shown = zones.includes(chosen) ? zones : [chosen, ...zones];
  return shown.map((value) => ({ value, label: zoneInWords(value) }));
}

/** When an event is, by the clock of its zone. */
function TimeFields({ form }: { form: EventForm }) {
  const { register, setValue, getValues, watch } = form;
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
      <TextField form={form} name="start" label="Start" hint={hintOf(watch('start'))} type={type} />
      <TextField form={form} name="end" label="End" hint={hintOf(watch('end'))} type={type} />
      {!isAllDay && (
        <SelectField
          form={form}
          name="timeZone"
          label="Time zone"
          placeholder="Select a time zone"
          options={zoneOptions(timeZone)}
        />
      )}
    </>
  );
}
