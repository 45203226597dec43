import { useState } from 'react';
import type { CalendarEvent, Scope } from '@matterdesk/contract/calendar.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import type { Option } from '../../../ui/option.ts';
import type { FoundInMail } from '../rules.form.ts';
import { questionOf, type GuestQuestion } from '../rules.guests.ts';
import type { Times } from '../rules.move.ts';
import { EventFields } from './EventFields.tsx';
import { GuestDialog } from './GuestDialog.tsx';
import { ScopeField } from './ScopeField.tsx';
import { useEventForm } from './use-event-form.ts';

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
