// Events as files, from and for other calendars.

import type { EventImportAction } from '@matterdesk/contract/calendar-exchange.ts';
import type { CalendarEvent } from '@matterdesk/contract/calendar.ts';
import type { EventRow, ImportedEventsTable } from '../../../db/schema-calendar.ts';
import type { ReadEvent } from '../../../integrations/icalendar/reader.ts';
import type { Entry } from '../../../integrations/icalendar/write.ts';
import { mayEdit, type Reader } from '../rules.ts';

/** An event as other calendars read it; without notes for people outside of the firm. */
export function entryOf(event: CalendarEvent, { withNotes }: { withNotes: boolean }): Entry {
  const { title, allDay, start, end, location, link, notes, sequence } = event;
  return {
    uid: `${event.id}@matterdesk`,
    sequence,
    modified: event.updatedAt,
    title,
    allDay,
    start,
    end,
    location,
    link,
    description: withNotes ? notes : '',
    category: '',
    isCanceled: event.cancelled,
    isBusy: true,
  };
}

/** A file name without characters that file systems refuse. */
export function fileNameOf(title: string): string {
  const name = title.replaceAll(/[\\/:*?"<>|]/g, '_').slice(0, 100);
  return `${name.trim() || 'event'}.ics`;
}

const OWN_UID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@matterdesk$/;

/** The id of an event that a calendar like this one wrote. */
export function ownIdOf({ uid }: Pick<ReadEvent, 'uid'>): string | undefined {
  return OWN_UID.exec(uid)?.[1];
}

/** An event from another calendar, with its identity there. */
export type HeldEvent = ImportedEventsTable &
  Pick<
    EventRow,
    | ('case_id' | 'organizer_id' | 'people' | 'is_private')
    | ('ends_at' | 'last_day' | 'time_zone' | 'cancelled_at')
  >;

/** The user who imports, and the matter; undefined for the one that already has the events. */
export type Importer = {
  reader: Reader;
  caseId: string | null | undefined;
  /** Sender of the mail. Only the organizer may change known events. */
  sender?: string;
};
export type Decision = { action: EventImportAction; problem: string | null };

/** Decides what to do with an event. @param held its existing occurrences that the user sees */
export function decide(event: ReadEvent, held: HeldEvent[], importer: Importer): Decision {
  const nothing = { action: 'skip', problem: null } as const;
  if (event.problem !== null) return { ...nothing, problem: event.problem };
  const { caseId } = importer;
  if (caseId !== undefined && held.some((row) => row.case_id !== caseId))
    return { ...nothing, problem: 'Another matter has this event' };
  const known = relevantOf(event, held);
  if (known.length === 0) return event.isCanceled ? nothing : { action: 'add', problem: null };
  if (!known.some((row) => isNewer(event, row))) return nothing;
  if (
    importer.sender !== undefined &&
    !known.every((row) => isOrganizer(row, event, importer.sender))
  )
    return { ...nothing, problem: 'It does not come from its organizer' };
  if (!known.every((row) => mayEdit(row, importer.reader)))
    return { ...nothing, problem: 'Only its people can change it' };
  return { action: event.isCanceled ? 'cancel' : 'update', problem: null };
}

/** The existing occurrences that an event is about: all of a series, or the named ones. */
export function relevantOf({ isPart, times }: ReadEvent, held: HeldEvent[]): HeldEvent[] {
  return isPart ? held.filter((row) => times.some(({ slot }) => slot === row.slot)) : held;
}

function isOrganizer(
  { organizer }: HeldEvent,
  event: ReadEvent,
  sender: string | undefined,
): boolean {
  return organizer !== '' && organizer === event.organizer && organizer === sender;
}

/** Compares sequences and, if they are equal, time stamps (RFC 5546, 2.1.5). */
export function isNewer({ sequence, stamp }: ReadEvent, held: HeldEvent): boolean {
  if (sequence !== held.sequence) return sequence > held.sequence;
  return stamp !== null && (held.stamp === null || Date.parse(stamp) > held.stamp.getTime());
}

/** Keeps the newest of several versions in one file. */
export function newestOf(events: ReadEvent[]): ReadEvent[] {
  const found = new Map<string, ReadEvent>();
  for (const event of events) {
    const key = JSON.stringify([event.uid, event.isPart ? event.times[0]?.slot : null]);
    const other = found.get(key);
    const isOlder =
      other !== undefined &&
      (event.sequence < other.sequence ||
        (event.sequence === other.sequence && (event.stamp ?? '') < (other.stamp ?? '')));
    if (!isOlder) found.set(key, event);
  }
  return [...found.values()];
}
