import { useState } from 'react';
import type { CalendarEvent, Scope } from '@matterdesk/contract/calendar.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import type { Option } from '../../../ui/option.ts';
import {
  type FoundInMail,
  changesOf,
  emptyInputs,
  foundInputs,
  inputsOf,
  toNewEvent,
  type EventInputs,
} from '../rules.form.ts';
import { questionOf, type GuestQuestion } from '../rules.guests.ts';
import type { Times } from '../rules.move.ts';
import { EventFields } from './EventFields.tsx';
import { GuestDialog } from './GuestDialog.tsx';
import { ScopeField } from './ScopeField.tsx';
import { useForm } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { addEvent, changeEvent } from '../api.ts';
import { faultOf } from '../rules.repeats.ts';
import { calendarChanged, timeZone } from '../slice.ts';

interface EventDialogProps {
  /** The event to change; null for a new one. */
  event: CalendarEvent | null;
  day: string;
  /** When a new event is, if a span was drawn. */
  times: Times | null;
  matter: Option | null;
  /** A date in a mail, from which a new event is made. */
  found?: FoundInMail;
  caseField: CaseField;
  onClose: () => void;
}

/** 'New event' and 'Edit event'. */
export function EventDialog(props: EventDialogProps) {
  const { event, matter, caseField, onClose } = props;
  const { form, save, cancel } = useEventForm(props);
  const [scope, setScope] = useState<Scope>('this');
  const { isDirty, isSubmitting } = form.formState;
  const [question, setQuestion] = useState<GuestQuestion | null>(null);
  const finish = (saved: CalendarEvent | null) => {
    const about = saved && questionOf(event, saved);
    if (about) setQuestion(about);
    else if (saved) onClose();
  };
  const submit = form.handleSubmit(async (inputs) => finish(await save(inputs, scope)));
  if (question) return <GuestDialog question={question} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={event ? 'Edit event' : 'New event'}
      isDirty={isDirty}
      onSubmit={(submitted) => void submit(submitted)}
      footer={
        <>
          <span className="flex gap-2">
            <DialogClose />
            {event && (
              <Button onClick={() => void cancel(scope).then(finish)}>
                {event.cancelled ? 'Bring back' : 'Cancel event'}
              </Button>
            )}
          </span>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      {event?.series != null && (
        <div className="pb-4">
          <ScopeField value={scope} onChange={setScope} />
        </div>
      )}
      <EventFields form={form} event={event} matter={matter} caseField={caseField} />
    </Dialog>
  );
}

interface FormOf {
  event: CalendarEvent | null;
  /** The day of a new event. */
  day: string;
  times: Times | null;
  /** What a new event is made from. */
  found?: FoundInMail | undefined;
}

/** Names of the wire's members in the form. */
const fields: Record<string, keyof EventInputs> = { recurrence: 'repeats' };

/** The form of an event. `save` resolves with what was saved; refusals appear under their fields. */
function useEventForm({ event, day, times, found }: FormOf) {
  const dispatch = useAppDispatch();
  const me = useAppSelector((state) => state.user.current?.id);
  // Others may change the event meanwhile: what was opened is what the changes are counted from.
  const [opened] = useState(() =>
    event
      ? inputsOf(event)
      : { ...emptyInputs(day, { me, timeZone, times }), ...(found && foundInputs(found)) },
  );
  const withKey = useClickKey();
  const form = useForm<EventInputs>({ defaultValues: opened });

  const send = (inputs: EventInputs, scope: Scope) => {
    if (event) return changeEvent(event.id, changesOf(opened, inputs), scope);
    const source = found && ({ type: 'mail', id: found.mailId } as const);
    const body = { ...toNewEvent(inputs), ...(source && { source }) };
    return withKey(body, (key) => addEvent(body, key));
  };

  const attempt = async (work: () => ReturnType<typeof send>): Promise<CalendarEvent | null> => {
    try {
      const { event: saved, clashes } = await work();
      dispatch(calendarChanged());
      const [clash] = clashes;
      if (clash) toast.plain(`At the same time as “${clash.title}”`);
      return saved;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      for (const { path, message } of error.errors) {
        const [member = path] = path.split('.');
        const name =
          fields[member] ?? (member in opened ? (member as keyof EventInputs) : undefined);
        if (name) form.setError(name, { message });
      }
      return null;
    }
  };

  const save = (inputs: EventInputs, scope: Scope): Promise<CalendarEvent | null> => {
    const fault = faultOf(inputs);
    if (fault) {
      form.setError(fault.name, { message: fault.message });
      return Promise.resolve(null);
    }
    const isUnchanged = event !== null && Object.keys(changesOf(opened, inputs)).length === 0;
    return isUnchanged ? Promise.resolve(event) : attempt(() => send(inputs, scope));
  };
  const cancel = (scope: Scope) =>
    event
      ? attempt(() => changeEvent(event.id, { cancelled: !event.cancelled }, scope))
      : Promise.resolve(null);
  return { form, save, cancel };
}
