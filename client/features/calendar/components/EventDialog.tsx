import { useState } from 'react';
import type { CalendarEvent, EventPatch, Scope } from '@matterdesk/contract/calendar.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import type { MadeFrom } from '../../../core/made-from.ts';
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
import { renamed, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { succeeds } from '../../../core/use-attempt.ts';
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
  /** A text from which a new event is made. */
  about?: MadeFrom;
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
  // Others may change the event meanwhile: what was opened is what the changes are counted from.
  const [opened] = useState(() =>
    event
      ? inputsOf(event)
      : {
          ...emptyInputs(day, { me, timeZone, times }),
          case: matter?.id ?? null,
          ...(found && foundInputs(found)),
          ...(about && { title: about.title, notes: about.text }),
        },
  );
  const [scope, setScope] = useState<Scope>('this');
  const [question, setQuestion] = useState<GuestQuestion | null>(null);
  const finish = async (sending: ReturnType<typeof addEvent>) => {
    const { event: saved, clashes } = await sending.catch(renamed(placeOf));
    dispatch(calendarChanged());
    const [clash] = clashes;
    if (clash) toast.plain(`At the same time as “${clash.title}”`);
    const about = questionOf(event, saved);
    if (about) setQuestion(about);
    else onClose();
  };
  const change = (id: string, body: EventPatch) =>
    finish(changeEvent({ params: { id }, query: { scope }, body }));
  const saving = useSave<EventInputs, EventInputs>(null, opened, async (inputs, key, form) => {
    const fault = faultOf(inputs);
    if (fault) return form.setError(fault.name, { message: fault.message });
    if (!event) {
      const from = inputs.case === matter?.id ? about?.source : null;
      const source = found ? ({ type: 'mail', id: found.mailId } as const) : from;
      const body = { ...toNewEvent(inputs), ...(source && { source }) };
      return finish(addEvent({ body, idempotencyKey: key }));
    }
    const changes = changesOf(opened, inputs);
    if (Object.keys(changes).length === 0) return onClose();
    return change(event.id, changes);
  });
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
