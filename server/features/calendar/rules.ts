// Events as readers and guests see them.

import type { CalendarEvent, Clash, EventKind, EventPatch } from '@matterdesk/contract/calendar.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Actor } from '../../core/actor.ts';
import type { EventRow, FullRow, StoredGuest } from '../../db/schema-calendar.ts';

const DAY_LENGTH = 'YYYY-MM-DD'.length;

type EventPeople = Pick<EventRow, 'organizer_id' | 'people' | 'is_private'>;
export type Reader = Pick<Actor, 'id' | 'permissions'>;

/** Minutes before the start. */
const REMINDERS: Partial<Record<EventKind, number[]>> = { meeting: [15], reminder: [0] };
const OTHER_REMINDERS = [1440, 60];

export function usualReminders(kind: EventKind): number[] {
  return REMINDERS[kind] ?? OTHER_REMINDERS;
}

/** Whether an event is the reader's own: made or attended. */
function isOwn({ organizer_id: organizer, people }: EventPeople, { id }: { id: string }) {
  return organizer === id || people.includes(id);
}

/** Private time of others shows only people and times, to admins too. */
export function isMasked(event: EventPeople, reader: { id: string }): boolean {
  return event.is_private && !isOwn(event, reader);
}

export function mayEdit(event: EventPeople, reader: Reader): boolean {
  return isOwn(event, reader) || (!event.is_private && reader.permissions.editCalendar);
}

/** Start and end as on the wire. */
function spanOnWire(row: Pick<EventRow, 'wall_start' | 'wall_end' | 'starts_at' | 'ends_at'>) {
  return {
    start: row.starts_at?.toISOString() ?? row.wall_start,
    end: row.ends_at?.toISOString() ?? row.wall_end,
  };
}

/** Members of a masked event. */
const BUSY = {
  title: 'Busy',
  kind: 'other',
  location: '',
  link: '',
  notes: '',
  guests: [],
  source: null,
  recurrence: null,
  reminders: [],
} satisfies Partial<CalendarEvent>;

/** An event as a reader sees it; without a reader, as its own people do, without its source. */
export function toEvent(row: FullRow, reader?: Reader): CalendarEvent {
  const event = {
    id: row.id,
    series: row.slot === null ? null : row.series_id,
    title: row.title,
    kind: row.kind,
    case:
      row.case_id === null || row.case_name === null
        ? null
        : { id: row.case_id, caseName: row.case_name },
    allDay: row.all_day,
    ...spanOnWire(row),
    timeZone: row.time_zone,
    location: row.location,
    link: row.link,
    notes: row.notes,
    people: row.attending,
    guests: listedGuests(row.guests),
    private: row.is_private,
    source: row.organizer_id === reader?.id ? row.source : null,
    cancelled: row.cancelled_at !== null,
    recurrence: row.rule,
    reminders: row.reminders,
    sequence: row.sequence,
    organizer: row.organizer,
    canEdit: reader !== undefined && mayEdit(row, reader),
    updatedAt: row.updated_at.toISOString(),
  };
  return reader && isMasked(row, reader) ? masked(event) : event;
}

export function masked(event: CalendarEvent): CalendarEvent {
  return { ...event, ...BUSY };
}

export function titleFor(row: EventPeople & { title: string }, reader: { id: string }): string {
  return isMasked(row, reader) ? BUSY.title : row.title;
}

export function kindFor(row: EventPeople & { kind: EventKind }, reader: { id: string }): EventKind {
  return isMasked(row, reader) ? BUSY.kind : row.kind;
}

export function toClash(row: EventRow & { attending: Person[] }, reader: Reader): Clash {
  const { id, attending: people } = row;
  return { id, title: titleFor(row, reader), ...spanOnWire(row), people };
}

/** Members that guests see. */
const GUEST_MEMBERS = [
  ...(['title', 'allDay', 'start', 'end', 'timeZone', 'location', 'link'] as const),
  ...(['cancelled', 'recurrence'] as const),
] as const;

export function isSeenByGuests(before: CalendarEvent, asked: EventPatch): boolean {
  return GUEST_MEMBERS.some(
    (member) => asked[member] !== undefined && asked[member] !== before[member],
  );
}

/** The audit log's record: private events only have the names of their members. */
export function toRecord(event: CalendarEvent): object {
  return event.private ? { private: true, members: Object.keys(event) } : event;
}

/** Whether deadlines that count from the event are affected. */
export function isMoved(before: EventRow, after: EventRow): boolean {
  const day = ({ wall_start: start }: EventRow) => start.slice(0, DAY_LENGTH);
  const isCancelled = (row: EventRow) => row.cancelled_at !== null;
  return (
    day(before) !== day(after) ||
    isCancelled(before) !== isCancelled(after) ||
    before.case_id !== after.case_id
  );
}

export function nameOfChange(before: CalendarEvent, after: CalendarEvent) {
  if (after.cancelled !== before.cancelled) return after.cancelled ? 'canceled' : 'restored';
  return after.start !== before.start || after.end !== before.end ? 'moved' : 'updated';
}

type RequestedGuests = NonNullable<EventPatch['guests']>;

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Guests as readers see them. */
function listedGuests(guests: readonly StoredGuest[]): CalendarEvent['guests'] {
  return guests
    .filter(({ isRemoved }) => isRemoved !== true)
    .map(({ name, email, invited }) => ({ name, email, invited }));
}

/** Guests keep their invitations. Invited guests who are removed stay, to be sent a cancellation. */
export function withAskedGuests(
  asked: RequestedGuests,
  before: readonly StoredGuest[],
): StoredGuest[] {
  const kept = asked.map((guest) => {
    const same = before.find(({ email }) => isSameAddress(email, guest.email));
    return { ...guest, invited: same?.invited ?? null, ...organizerOf(same) };
  });
  const removed = before.filter(
    ({ email, invited }) =>
      invited !== null && !asked.some((guest) => isSameAddress(guest.email, email)),
  );
  return [...kept, ...removed.map((guest) => ({ ...guest, isRemoved: true }))];
}

function organizerOf(same: StoredGuest | undefined) {
  return same?.organizer ? { organizer: same.organizer } : {};
}

/** Whether invited guests were removed, or came back: their next mail needs a higher sequence. */
export function hasRemovalChanged(
  before: readonly StoredGuest[],
  after: readonly StoredGuest[],
): boolean {
  const removedFrom = (guests: readonly StoredGuest[]) =>
    guests.filter(({ isRemoved }) => isRemoved === true).map(({ email }) => email.toLowerCase());
  const [was, is] = [removedFrom(before), removedFrom(after)];
  return was.length !== is.length || is.some((email) => !was.includes(email));
}

/** Raises the sequence of guests who are up to date, before a version that only other guests see. */
export function keepCurrent(guests: readonly StoredGuest[], sequence: number): StoredGuest[] {
  return guests.map((guest) =>
    guest.isRemoved !== true &&
    guest.invited?.state === 'sent' &&
    guest.invited.sequence >= sequence
      ? { ...guest, invited: { ...guest.invited, sequence: sequence + 1 } }
      : guest,
  );
}

/** Guests of a copied event. */
export function withoutInvitations(guests: readonly StoredGuest[]): StoredGuest[] {
  return listedGuests(guests).map((guest) => ({ ...guest, invited: null }));
}
