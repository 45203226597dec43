import type { CalendarOptions, EventDisplayInfo } from '@fullcalendar/react';
import { cx } from '../../ui/cx.ts';
import { MAX_STACKED, type GridEntry } from './rules.grid.ts';
import { groupOf } from './rules.ts';
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
const LABEL_OVERLAP_MINUTES = 16;

/** The hour whose label has no room beside that of the present time, 0 to 24. */
export function coveredHour(now: Date): number | undefined {
  const minutes = now.getHours() * 60 + now.getMinutes();
  const next = Math.round(minutes / 60);
  return Math.abs(minutes - next * 60) < LABEL_OVERLAP_MINUTES ? next : undefined;
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
    eventMaxStack: MAX_STACKED[view],
    expandRows: view === 'month',
    weekNumbers: view !== 'month',
  };
}

/** Our data on a FullCalendar event. */
export function entryOf(event: EventDisplayInfo['event']): GridEntry['extendedProps'] {
  return event.extendedProps as GridEntry['extendedProps'];
}

const blocks = {
  court: 'bg-blue-soft before:bg-blue',
  adr: 'bg-teal-soft before:bg-teal',
  meeting: 'bg-sunken before:bg-ink-3',
} as const;

const HATCHED =
  'border border-line bg-[repeating-linear-gradient(135deg,var(--color-sunken)_0_5px,transparent_5px_9px)] before:bg-ink-3';
const EDGE = "before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:content-['']";
const GHOST = 'visible border border-dashed border-line-strong bg-transparent opacity-75';
const HELD = 'z-10 border-[1.5px] border-accent bg-surface text-ink shadow-float';

/** Classes while an entry is dragged: a dashed ghost stays at its old place. */
function dragClass({ isDragging, isResizing, isMirror }: EventDisplayInfo): string | undefined {
  if (isMirror) return HELD;
  return isDragging || isResizing ? GHOST : undefined;
}

/** A block among the hours, or over whole days. */
function blockClass(info: EventDisplayInfo): string {
  const entry = entryOf(info.event);
  if (entry.kind !== 'item') return cx('relative', dragClass(info));
  const { item } = entry;
  const group = groupOf(item);
  const isBlock = group === 'court' || group === 'adr' || group === 'meeting';
  const look = isBlock ? cx(EDGE, item.private ? HATCHED : blocks[group]) : '';
  return cx(
    'relative',
    !info.isMirror && 'overflow-hidden',
    dragClass(info) ?? look,
    item.cancelled && 'opacity-70',
  );
}

/** A line of a day: deadlines in ink, red once they are late; tasks and dates plain. */
function rowClass(info: EventDisplayInfo): string {
  const entry = entryOf(info.event);
  if (entry.kind !== 'item') return 'text-ink-3';
  const { item } = entry;
  if (item.type === 'event') return cx('rounded-[5px]', blockClass(info));
  if (item.type !== 'deadline') return 'text-ink-2';
  if (item.status !== 'open') return 'rounded-[5px] text-ink-3 ring-1 ring-line ring-inset';
  if (entry.isOverdue) return 'rounded-[5px] bg-red font-strong text-on-red';
  if (item.hard) return 'rounded-[5px] bg-ink font-strong text-paper';
  return 'rounded-[5px] bg-surface text-ink ring-1 ring-line-strong ring-inset';
}

const LINE = 'border-line';
const TODAY = 'bg-[color-mix(in_srgb,var(--color-accent-soft)_42%,transparent)]';
/** Taller rows on narrow screens, for touch. */
const ROW = 'mx-1 mb-0.5 min-h-[22px] items-center max-sm:min-h-6 pointer-coarse:min-h-6';
const HANDLE = 'absolute inset-x-0 bottom-0 h-2';

/** Styles of the grid, as the classes that FullCalendar takes instead of a theme. */
export const gridStyles = {
  eventClass: 'text-xs/[15px] focus-visible:z-10 outline-offset-1',
  eventInnerClass: 'min-w-0 @container',
  columnEventClass: (info) => cx('mb-px rounded-[5px]', blockClass(info)),
  columnEventAfterClass: (info) => (info.isEndResizable ? HANDLE : ''),
  rowEventClass: (info) => cx(ROW, rowClass(info)),
  rowEventAfterClass: (info) => (info.isEndResizable ? 'absolute inset-y-0 right-0 w-2' : ''),
  listItemEventClass: (info) => cx(ROW, 'rounded-[5px] hover:bg-hover', dragClass(info)),
  backgroundEventClass: 'border-t-2 border-ink bg-transparent opacity-100',
  moreLinkClass: 'mx-1 text-xs text-ink-3 hover:text-ink',
  columnMoreLinkClass: 'rounded-[5px] bg-surface ring-1 ring-line-strong ring-inset p-1',

  dayHeaderRowClass: LINE,
  dayHeaderClass: `border ${LINE} justify-center`,
  dayHeaderInnerClass: 'px-0.5 py-1.5 text-note text-ink-2 sm:px-2',
  dayHeaderAlign: 'start',
  dayHeaderDividerClass: `border-b ${LINE}`,
  dayRowClass: `border ${LINE}`,
  dayCellClass: (info) => cx(`border ${LINE}`, info.isToday && `${TODAY} print:bg-transparent`),
  dayCellTopClass: 'flex px-1 pt-0.5 min-h-1',
  dayCellTopInnerClass:
    'flex min-h-6 min-w-6 items-center px-1 text-note text-ink-2 tabular-nums hover:text-ink',
  dayCellBottomClass: 'min-h-1',

  // The note on a dragged event reaches over the next day.
  dayLaneClass: (info) =>
    cx(
      `border ${LINE} has-[[data-drag-label]]:z-20!`,
      info.isToday && `${TODAY} print:bg-transparent`,
    ),
  dayLaneInnerClass: 'mx-0.5',
  slotLaneClass: (info) => (info.isMinor ? 'border-transparent' : `border ${LINE}`),
  slotHeaderClass: 'justify-end',
  slotHeaderInnerClass: 'h-px px-2 text-[0.71875rem]/[1px] text-ink-3 tabular-nums',
  slotHeaderRowClass: 'border-transparent',
  slotHeaderDividerClass: `border-e ${LINE}`,
  allDayHeaderClass: 'justify-end items-start',
  allDayHeaderInnerClass: 'px-2 py-1 text-[0.71875rem] text-ink-3',
  allDayDividerClass: `border-b border-line-strong`,
  weekNumberHeaderClass: 'justify-end items-center',
  weekNumberHeaderInnerClass: 'px-2 text-[0.71875rem] text-ink-3',
  nowIndicatorLineClass: 'border-t-2 border-ink',
  nowIndicatorDotClass: '-mt-[3px] size-2 rounded-full bg-ink',
  nowIndicatorHeaderClass: 'bg-paper px-2 text-[0.71875rem] font-semibold tabular-nums -mt-2',
  highlightClass: 'bg-accent-soft',
  navLinkClass: 'hover:underline',
} satisfies CalendarOptions;
