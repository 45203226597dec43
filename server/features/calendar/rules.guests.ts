// Guests of an event, who are people outside of the firm.

import type { CalendarEvent, EventPatch } from '@matterdesk/contract/calendar.ts';
import type { StoredGuest } from '../../db/schema-calendar.ts';

type Asked = NonNullable<EventPatch['guests']>;

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Guests as readers see them. */
export function listedGuests(guests: readonly StoredGuest[]): CalendarEvent['guests'] {
  return guests
    .filter(({ isRemoved }) => isRemoved !== true)
    .map(({ name, email, invited }) => ({ name, email, invited }));
}

/** Guests keep what was sent to them; invited guests who are removed stay to be sent a cancellation. */
export function withAskedGuests(asked: Asked, before: readonly StoredGuest[]): StoredGuest[] {
  const kept = asked.map((guest) => {
    const same = before.find(({ email }) => isSameAddress(email, guest.email));
    return { ...guest, invited: same?.invited ?? null, ...pick(same) };
  });
  const removed = before.filter(
    ({ email, invited }) =>
      invited !== null && !asked.some((guest) => isSameAddress(guest.email, email)),
  );
  return [...kept, ...removed.map((guest) => ({ ...guest, isRemoved: true }))];
}

function pick(same: StoredGuest | undefined) {
  return same?.organizer ? { organizer: same.organizer } : {};
}

/** Whether invited guests were removed, or came back: their next mail needs a higher sequence. */
export function isListSeen(before: readonly StoredGuest[], after: readonly StoredGuest[]): boolean {
  const removedFrom = (guests: readonly StoredGuest[]) =>
    guests.filter(({ isRemoved }) => isRemoved === true).map(({ email }) => email.toLowerCase());
  const [was, is] = [removedFrom(before), removedFrom(after)];
  return was.length !== is.length || is.some((email) => !was.includes(email));
}

/** Who has an event as it is has it also under the next sequence, which only other guests see. */
export function keptCurrent(guests: readonly StoredGuest[], sequence: number): StoredGuest[] {
  return guests.map((guest) =>
    guest.isRemoved !== true &&
    guest.invited?.state === 'sent' &&
    guest.invited.sequence >= sequence
      ? { ...guest, invited: { ...guest.invited, sequence: sequence + 1 } }
      : guest,
  );
}

/** Guests of a new event like another one. */
export function uninvited(guests: readonly StoredGuest[]): StoredGuest[] {
  return listedGuests(guests).map((guest) => ({ ...guest, invited: null }));
}
