import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { CalendarEvent, Scope } from '@matterdesk/contract/calendar.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { toast } from '../../../ui/toast-store.ts';
import { addEvent, changeEvent } from '../api.ts';
import {
  changesOf,
  emptyInputs,
  foundInputs,
  inputsOf,
  toNewEvent,
  type EventInputs,
  type FoundInMail,
} from '../rules.form.ts';
import type { Times } from '../rules.move.ts';
import { faultOf } from '../rules.repeats.ts';
import { calendarChanged, timeZone } from '../slice.ts';

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
export function useEventForm({ event, day, times, found }: FormOf) {
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
