// Checks of an event's members, and their columns.

import {
  type CalendarEvent,
  type EventPatch,
  areTimesOf,
  EVENT_END_BEFORE_START,
} from '@matterdesk/contract/calendar.ts';
import { perContext } from '../../context.ts';
import { isId } from '../../core/ids.ts';
import { invalidField } from '../../core/refusal.ts';
import type { EventRow } from '../../db/schema-calendar.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { CalendarFileReader } from '../../integrations/icalendar/reader.ts';
import { requireAssignable } from '../accounts/service.ts';
import { caseExists } from '../cases/service.ts';
import { requireSource } from '../stream/service.entries.ts';
import * as times from './rules.times.ts';

/** Reads calendar files in a thread. */
export const calendarFilesOf = perContext(({ threads }) => new CalendarFileReader(threads));

/**
 * Requires that the people and the matter exist for the caller.
 * @throws Refusal invalidInput
 */
export async function requireParts(
  unit: Unit,
  { asked, before }: { asked: EventPatch; before?: CalendarEvent },
): Promise<void> {
  const already = before?.people.map(({ id }) => id) ?? [];
  if (asked.people)
    await requireAssignable(unit.trx, {
      ids: [...new Set(asked.people)],
      path: 'people',
      already,
    });
  const isKnown = !asked.case || (isId(asked.case) && (await caseExists(unit.trx, asked.case)));
  if (!isKnown) throw invalidField('case', 'Please select any case');
  const caseId = asked.case === undefined ? before?.case?.id : asked.case;
  await requireSource(unit.trx, { caseId, source: asked.source });
  const isPrivate = asked.private ?? before?.private ?? false;
  if (caseId && isPrivate) throw invalidField('private', 'An event of a matter cannot be private');
}

type RequestedTimes = Pick<EventPatch, 'start' | 'end' | 'allDay' | 'timeZone'>;

/** @throws Refusal invalidInput for times that do not fit `allDay`, or end before they start */
export function requireTimes(asked: RequestedTimes, before: times.WireTimes): times.Times {
  const { start = before.start, end = before.end, timeZone = before.timeZone } = asked;
  const allDay = asked.allDay ?? (asked.start === undefined ? before.allDay : start.length === 10);
  if (!areTimesOf(allDay, { start, end: start }))
    throw invalidField('start', allDay ? 'Start must be a day' : 'Start must have a time');
  if (!areTimesOf(allDay, { start, end }))
    throw invalidField('end', allDay ? 'End must be a day' : 'End must have a time');
  if (end < start) throw invalidField('end', EVENT_END_BEFORE_START);
  const found = times.toTimes({ allDay, start, end, timeZone });
  requireYear('start', found.wall_start);
  requireYear('end', found.wall_end);
  return found;
}

/** In zones ahead of UTC, the last hours of 9999 are in a year of five digits. */
function requireYear(path: 'start' | 'end', wall: string): void {
  const label = path === 'start' ? 'Start' : 'End';
  if (wall.startsWith('+')) throw invalidField(path, `${label} must be before the year 10000`);
}

type Columns = Pick<
  EventRow,
  | ('title' | 'kind' | 'case_id' | 'location' | 'link' | 'notes' | 'people')
  | ('guests' | 'is_private' | 'source' | 'reminders' | 'cancelled_at')
>;

/** Columns of a request's members, except times and recurrence. */
export function toColumns(asked: EventPatch): Partial<Columns> {
  return {
    ...(asked.title !== undefined && { title: asked.title }),
    ...(asked.kind !== undefined && { kind: asked.kind }),
    ...(asked.case !== undefined && { case_id: asked.case }),
    ...(asked.location !== undefined && { location: asked.location }),
    ...(asked.link !== undefined && { link: asked.link }),
    ...(asked.notes !== undefined && { notes: asked.notes }),
    ...(asked.people !== undefined && { people: [...new Set(asked.people)] }),
    ...(asked.guests !== undefined && {
      guests: asked.guests.map((guest) => ({ ...guest, invited: null })),
    }),
    ...(asked.private !== undefined && { is_private: asked.private }),
    ...(asked.source !== undefined && { source: asked.source }),
    ...(asked.reminders !== undefined && { reminders: sorted(asked.reminders) }),
    ...(asked.cancelled !== undefined && { cancelled_at: asked.cancelled ? new Date() : null }),
  };
}

/** Distinct reminders, the earliest first. */
function sorted(minutes: number[]): number[] {
  return [...new Set(minutes)].toSorted((a, b) => b - a);
}
