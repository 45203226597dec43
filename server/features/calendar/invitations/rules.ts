// Invitations to people outside of the firm.

import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import type { StoredGuest } from '../../../db/schema-calendar.ts';

export type Method = 'REQUEST' | 'CANCEL';
export type Sender = { name: string; email: string };

/** Guests who were removed no longer have the event. */
export function methodFor(event: CalendarEvent, guest: StoredGuest): Method {
  return event.cancelled || guest.isRemoved === true ? 'CANCEL' : 'REQUEST';
}

/** Updates come from the organizer that a guest's calendar knows, from any sender of the firm. */
export function organizerFor({ organizer }: StoredGuest, sender: Sender) {
  if (!organizer || organizer.email === sender.email) return sender;
  return { ...organizer, sentBy: sender.email };
}

/** Subject and text of the mail to a guest. @param text what the sender adds */
export function writeLetter(event: CalendarEvent, guest: StoredGuest, text: string) {
  const isCanceled = methodFor(event, guest) === 'CANCEL';
  const isKnown = guest.invited !== null && guest.invited.state !== 'failed';
  const news = isCanceled ? 'Canceled' : isKnown ? 'Updated invitation' : 'Invitation';
  const facts = [
    event.title,
    whenInWords(event),
    ...(event.location === '' ? [] : [`Where: ${event.location}`]),
    ...(event.link === '' ? [] : [`Link: ${event.link}`]),
  ];
  const parts = [...(text === '' ? [] : [text]), facts.join('\n')];
  return { subject: `${news}: ${event.title}`, text: parts.join('\n\n') };
}

const DAY = { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** On the clocks of the event's zone, whose name is there for guests elsewhere. */
function whenInWords({ allDay, start, end, timeZone }: CalendarEvent): string {
  if (allDay) {
    const dayOf = (day: string) =>
      new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { ...DAY, timeZone: 'UTC' });
    return start === end ? dayOf(start) : `${dayOf(start)} to ${dayOf(end)}`;
  }
  const format = (at: string, options: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleString('en-US', { ...options, timeZone });
  const isOneDay = format(start, DAY) === format(end, DAY);
  const until = format(end, isOneDay ? TIME : { ...DAY, ...TIME });
  const times = start === end ? '' : ` to ${until}`;
  return `${format(start, { ...DAY, ...TIME })}${times} (${timeZone})`;
}
