import { useState } from 'react';
import { scopes, type CalendarEvent, type Scope } from '@matterdesk/contract/calendar.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import type { Option } from '../../../ui/option.ts';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { EventFields } from './EventFields.tsx';
import { useEventForm } from './use-event-form.ts';

interface EventDialogProps {
  /** The event to change; null for a new one. */
  event: CalendarEvent | null;
  day: string;
  matter: Option | null;
  caseField: CaseField;
  onClose: () => void;
}

const scopeLabels = {
  this: 'This event',
  following: 'This and following',
  all: 'All events',
} as const;
const scopeOptions = scopes.map((value) => ({ value, label: scopeLabels[value] }));

/** 'New event' and 'Edit event'. */
export function EventDialog({ event, day, matter, caseField, onClose }: EventDialogProps) {
  const { form, save, cancel } = useEventForm({ event, day });
  const [scope, setScope] = useState<Scope>('this');
  const { isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (inputs) => {
    if (await save(inputs, scope)) onClose();
  });
  const handleCancel = async () => {
    if (await cancel(scope)) onClose();
  };
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
              <Button onClick={() => void handleCancel()}>
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
          <RadioGroup
            legend="Change"
            name="scope"
            options={scopeOptions}
            defaultValue={scope}
            onChange={({ target }) =>
              setScope(scopes.find((name) => name === target.value) ?? 'this')
            }
          />
        </div>
      )}
      <EventFields form={form} event={event} matter={matter} caseField={caseField} />
    </Dialog>
  );
}
