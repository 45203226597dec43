import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { Button } from '../../../ui/Button.tsx';
import {
  invitedInWords,
  nameOf,
  pendingOf,
  inGuests,
  type GuestQuestion,
} from '../rules.guests.ts';

interface GuestListProps {
  event: CalendarEvent;
  onSend: (question: GuestQuestion) => void;
}

/** The guests of an event with what was sent to them, and a way to send what was not. */
export function GuestList({ event, onSend }: GuestListProps) {
  const question = event.canEdit ? pendingOf(event) : null;
  return (
    <>
      <ul>
        {event.guests.map((guest) => (
          <li key={guest.email}>
            {nameOf(guest)}{' '}
            <span className="text-sm text-ink-3">· {invitedInWords(guest, event)}</span>
          </li>
        ))}
      </ul>
      {question && (
        <Button size="small" className="mt-1.5" onClick={() => onSend(question)}>
          {`Send to ${inGuests(question.guests.length)}`}
        </Button>
      )}
    </>
  );
}
