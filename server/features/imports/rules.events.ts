// Events as other systems write them.

import {
  type EventKind,
  eventKinds,
  EVENT_END_BEFORE_START,
  NewEventSchema,
} from '@matterdesk/contract/calendar.ts';
import { type Clock, dayOf, hasTime, momentOf, notADate, truthOf } from './rules.cells.ts';

const kinds: [EventKind, RegExp][] = [
  ['trial', /\btrial\b/i],
  ['deposition', /\bdepo(?:sition|s)?\b/i],
  ['mediation', /\bmediation\b/i],
  ['hearing', /\bhearing\b/i],
  ['courtDate', /\bcourt|appearance|arraignment|\bconference with (?:the )?judge\b/i],
  ['meeting', /\bmeeting|appointment|consult|conference|interview\b/i],
  ['reminder', /\breminder\b/i],
];

/** The kind for another system's word. */
export function kindOf(word = ''): EventKind {
  const own = eventKinds.find((kind) => kind === word);
  return own ?? kinds.find(([, pattern]) => pattern.test(word))?.[0] ?? 'other';
}

type Cells = Record<string, string>;
type CellProblem = { field: string; message: string };

/** First and last day of an all-day event, else instants; without an end it ends as it begins. */
export function timesOf(cells: Cells, clock: Clock): { start: string; end: string } | CellProblem {
  const startText = textOf(cells, 'start', 'startTime');
  const endText = textOf(cells, 'end', 'endTime');
  const isAllDay = truthOf(cells['allDay']) ?? !(hasTime(startText) || hasTime(endText));
  const start = readTime(startText, { clock, isAllDay });
  if (start === null) return { field: 'start', message: notADate(startText) };
  if (endText === '') return { start, end: start };
  // A time of day alone is that of the same day.
  const isOfDay = cells['end'] === undefined;
  const written = isOfDay ? `${dayOf(startText, clock)} ${endText}` : endText;
  const end = readTime(written, { clock, isAllDay });
  if (end === null) return { field: isOfDay ? 'endTime' : 'end', message: notADate(endText) };
  return end < start ? { field: 'end', message: EVENT_END_BEFORE_START } : { start, end };
}

function textOf(cells: Cells, day: string, time: string): string {
  return [cells[day], cells[time]].filter((part) => part).join(' ');
}

function readTime(text: string, { clock, isAllDay }: { clock: Clock; isAllDay: boolean }) {
  return isAllDay ? dayOf(text, clock) : momentOf(text, clock);
}

const { link: linkSchema, timeZone: zoneSchema, reminders: remindersSchema } = NewEventSchema.shape;

/** Details that only our own packs have, without those that no event can have. */
export function ownOf(cells: Cells) {
  const { link, timeZone, reminders } = cells;
  const minutes = reminders === 'none' ? [] : reminders?.split(' ').map(Number);
  const address = linkSchema.safeParse(link).data;
  const zone = zoneSchema.safeParse(timeZone).data;
  const before = remindersSchema.safeParse(minutes).data;
  return {
    ...(address !== undefined && { link: address }),
    ...(zone !== undefined && { timeZone: zone }),
    ...(before !== undefined && { reminders: before }),
  };
}
