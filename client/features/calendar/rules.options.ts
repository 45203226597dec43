import type { CalendarOptions } from '@fullcalendar/react';
import { STACKED } from './rules.grid.ts';
import type { GridView } from './rules.views.ts';

export const viewTypes = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
} as const;

function zoneNamed(timeZoneName: 'shortGeneric' | 'short'): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** 'ET'; 'GMT+1' where the generic name is words ('Germany Time'), which would widen the column of hours. */
const generic = zoneNamed('shortGeneric');
const zoneName = generic.includes(' ') ? zoneNamed('short') : generic;

/** '10:42' */
function clockOf(now: Date): string {
  const time = now.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  return time.replace(/\s?[AP]M$/, '');
}

const hour = new Intl.DateTimeFormat('en-US', { hour: 'numeric' });

/** '9 AM'; nothing at midnight, where the row of whole days ends. */
export function hourOf(date: Date): string {
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  return isMidnight ? '' : hour.format(date);
}

/** Minutes between an hour and the present time in which one's label would lie over the other's. */
const NEAR = 16;

/** The hour whose label has no room beside that of the present time, 0 to 24. */
export function coveredHour(now: Date): number | undefined {
  const minutes = now.getHours() * 60 + now.getMinutes();
  const next = Math.round(minutes / 60);
  return Math.abs(minutes - next * 60) < NEAR ? next : undefined;
}

/** A row among the hours, in pixels. */
export const SLOT = { minutes: 15, height: 14 };

/** Options shared by all views. */
export const plain = {
  headerToolbar: false,
  height: '100%',
  fixedWeekCount: false,
  eventOrder: 'order,start',
  eventOrderStrict: true,
  slotEventOverlap: false,
  // Entries say their times themselves.
  displayEventTime: false,
  // As long as the steps of a drag, which FullCalendar takes from the middle of a slot.
  slotDuration: { minutes: SLOT.minutes },
  slotMinHeight: SLOT.height,
  slotHeaderInterval: '01:00',
  snapDuration: { minutes: SLOT.minutes },
  eventMinHeight: 20,
  eventShortHeight: 32,
  scrollTime: '07:45',
  scrollTimeReset: false,
  nowIndicator: true,
  nowIndicatorHeaderContent: ({ date }) => clockOf(date),
  weekNumberHeaderContent: () => zoneName,
  allDayText: 'all day',
  navLinks: true,
  selectable: true,
  selectMirror: true,
  selectMinDistance: 5,
  eventLongPressDelay: 400,
  selectLongPressDelay: 600,
  dragRevertDuration: 140,
} satisfies CalendarOptions;

export function optionsOf(view: GridView): CalendarOptions {
  return {
    eventMaxStack: STACKED[view],
    expandRows: view === 'month',
    weekNumbers: view !== 'month',
  };
}
