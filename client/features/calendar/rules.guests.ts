// Guests of an event, and whom a change of it concerns.

import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import { counted } from '../../core/words.ts';

export type Guest = CalendarEvent['guests'][number];
/** Guests to whom the newest version of an event could be sent. */
export type GuestQuestion = {
  event: CalendarEvent;
  guests: Guest[];
  /** Whether they are invited for the first time. */
  isNew: boolean;
};

const GUEST_VISIBLE_FIELDS = [
  ...(['title', 'allDay', 'start', 'end', 'timeZone'] as const),
  ...(['location', 'link', 'cancelled'] as const),
];

/** Guests who lack a saved change; null for none. Canceling notifies its own. @param before null for a new event */
export function questionOf(
  before: CalendarEvent | null,
  event: CalendarEvent,
): GuestQuestion | null {
  const had = before?.guests ?? [];
  const isNews =
    before !== null && GUEST_VISIBLE_FIELDS.some((member) => before[member] !== event[member]);
  const removed = had.filter(({ invited, email }) => invited !== null && !has(event.guests, email));
  const concerned = event.guests.filter(
    (guest) =>
      (isNews && guest.invited !== null && !isCurrent(guest, event)) || !has(had, guest.email),
  );
  return toQuestion(event, [...concerned, ...removed]);
}

/** Guests whom an undo concerns: those who received the change. */
export function questionOfUndo(before: CalendarEvent, event: CalendarEvent): GuestQuestion | null {
  const wasSent = ({ email, invited }: Guest) => {
    const had = before.guests.find((guest) => guest.email === email)?.invited ?? null;
    return invited !== null && invited.at !== had?.at;
  };
  return toQuestion(event, event.guests.filter(wasSent));
}

/** Guests who lack the newest version of an event; null for no one. */
export function pendingOf(event: CalendarEvent): GuestQuestion | null {
  return toQuestion(
    event,
    event.guests.filter((guest) => !isCurrent(guest, event)),
  );
}

function isCurrent({ invited }: Guest, { sequence }: CalendarEvent): boolean {
  return invited?.state === 'sent' && invited.sequence >= sequence;
}

/** Leaves out guests of a canceled event who were never invited. */
function toQuestion(event: CalendarEvent, guests: Guest[]): GuestQuestion | null {
  const reached = guests.filter(({ invited }) => !event.cancelled || invited !== null);
  if (reached.length === 0) return null;
  return { event, guests: reached, isNew: reached.every(({ invited }) => invited === null) };
}

function has(guests: readonly Guest[], email: string): boolean {
  return guests.some((guest) => guest.email.toLowerCase() === email.toLowerCase());
}

export function questionInWords({ guests, isNew }: GuestQuestion): string {
  return `Send the ${isNew ? 'invitation' : 'change'} to ${counted(guests.length, 'guest')}?`;
}

export function nameOf({ name, email }: Guest): string {
  return name || email;
}

/** Status of a guest's invitation: 'invited', 'not invited'. */
export function invitedInWords({ invited }: Guest, { sequence }: CalendarEvent): string {
  if (invited === null) return 'not invited';
  if (invited.state === 'failed') return 'not sent';
  if (invited.state === 'unknown') return 'may have been sent';
  return invited.sequence < sequence ? 'has an earlier version' : 'invited';
}

/** Guests whose mail failed or is unconfirmed; null when all were sent. */
export function unsentInWords(event: CalendarEvent, guests: readonly Guest[]): string | null {
  const now = event.guests.filter(({ email }) => has(guests, email));
  const of = (state: 'failed' | 'unknown') =>
    now.filter(({ invited }) => invited?.state === state).map(nameOf);
  const [failed, unknown] = [of('failed'), of('unknown')];
  if (failed.length > 0) return `Not sent to ${failed.join(', ')}`;
  return unknown.length > 0 ? `May not have been sent to ${unknown.join(', ')}` : null;
}
