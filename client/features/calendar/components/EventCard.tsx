import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { paths } from '../../../core/paths.ts';
import { formatTime, counted } from '../../../core/words.ts';
import { buttonClass, Button } from '../../../ui/Button.tsx';
import { formatDay, localDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { type GuestQuestion, invitedInWords, nameOf, pendingOf } from '../rules.guests.ts';
import { reminderInWords, kindLabels, namesOf } from '../rules.ts';
import { GuestDialog } from './GuestDialog.tsx';

interface EventCardProps {
  event: CalendarEvent;
  onEdit: () => void;
  onClose: () => void;
}

function whenOf({ allDay, start, end }: CalendarEvent): string {
  if (allDay) return start === end ? formatDay(start) : `${formatDay(start)} – ${formatDay(end)}`;
  const [first, last] = [localDay(new Date(start)), localDay(new Date(end))];
  const until =
    first === last ? formatTime(end) : `${formatDay(last, 'short')}, ${formatTime(end)}`;
  return `${formatDay(first, 'weekday')}, ${formatTime(start)} – ${until}`;
}

export function EventCard({ event, onEdit, onClose }: EventCardProps) {
  const [question, setQuestion] = useState<GuestQuestion | null>(null);
  if (question) return <GuestDialog question={question} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={event.title}
      subtitle={event.cancelled ? 'Canceled' : kindLabels[event.kind]}
      footer={
        <>
          <DialogClose>Close</DialogClose>
          {event.case && !event.cancelled && (
            <Link
              className={buttonClass()}
              to={`${paths.calendar}?view=deadlines&case=${event.case.id}&apply=event:${event.id}`}
            >
              Count deadlines
            </Link>
          )}
          {event.canEdit && (
            <Button variant="primary" onClick={onEdit}>
              Edit event
            </Button>
          )}
        </>
      }
    >
      <dl className="grid gap-3">
        <Fact name="When">
          {whenOf(event)}
          {event.recurrence !== null && <span className="block text-note">Repeats</span>}
        </Fact>
        {event.case && (
          <Fact name="Matter">
            <Link className="link" to={paths.caseDetails(event.case.id)}>
              {event.case.caseName}
            </Link>
          </Fact>
        )}
        {event.people.length > 0 && <Fact name="People">{namesOf(event.people)}</Fact>}
        {event.guests.length > 0 && (
          <Fact name="Guests">
            <GuestList event={event} onSend={setQuestion} />
          </Fact>
        )}
        {event.reminders.length > 0 && (
          <Fact name="Reminders">{event.reminders.map(reminderInWords).join(', ')}</Fact>
        )}
        {event.location !== '' && <Fact name="Location">{event.location}</Fact>}
        {event.link !== '' && (
          <Fact name="Link">
            <a className="link wrap-anywhere" href={event.link} target="_blank" rel="noreferrer">
              {event.link}
            </a>
          </Fact>
        )}
        {event.notes !== '' && (
          <Fact name="Notes">
            <span className="whitespace-pre-line">{event.notes}</span>
          </Fact>
        )}
      </dl>
    </Dialog>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5.5rem_1fr] gap-3">
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

interface GuestListProps {
  event: CalendarEvent;
  onSend: (question: GuestQuestion) => void;
}

/** The guests of an event with what was sent to them, and a way to send what was not. */
function GuestList({ event, onSend }: GuestListProps) {
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
          {`Send to ${counted(question.guests.length, 'guest')}`}
        </Button>
      )}
    </>
  );
}
