import { formatDay, addDays } from '../../ui/days.ts';

export const viewNames = ['month', 'week', 'day', 'agenda', 'deadlines'] as const;
export type ViewName = (typeof viewNames)[number];
/** Views of a window of days. */
export type DaysView = Exclude<ViewName, 'deadlines'>;
/** Views that are drawn as a grid. */
export type GridView = Exclude<DaysView, 'agenda'>;
export type DayRange = { from: string; to: string };

export const viewLabels: Record<ViewName, string> = {
  month: 'Month',
  week: 'Week',
  day: 'Day',
  agenda: 'Agenda',
  deadlines: 'Deadlines',
};

/** Days that the agenda shows at once. */
const AGENDA_DAYS = 28;
const WEEK = 7;

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The Sunday on or before a day. */
function weekStart(day: string): string {
  return addDays(day, -weekdayOf(day));
}

function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The first day of the month that comes some months after a day's. */
function addMonths(day: string, months: number): string {
  const first = new Date(`${monthStart(day)}T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  return first.toISOString().slice(0, 10);
}

/** The days that a view shows around a day; a month in whole weeks. */
export function daysOfView(view: DaysView, date: string): DayRange {
  if (view === 'day') return { from: date, to: date };
  if (view === 'agenda') return { from: date, to: addDays(date, AGENDA_DAYS - 1) };
  if (view === 'week') return { from: weekStart(date), to: addDays(weekStart(date), WEEK - 1) };
  const last = addDays(addMonths(date, 1), -1);
  return { from: weekStart(monthStart(date)), to: addDays(weekStart(last), WEEK - 1) };
}

/** The day that names the earlier (-1) or later (1) window. */
export function stepOf(view: DaysView, date: string, by: -1 | 1): string {
  if (view === 'month') return addMonths(date, by);
  const days = { day: 1, week: WEEK, agenda: AGENDA_DAYS }[view];
  return addDays(date, by * days);
}

const formats = {
  month: new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  day: new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }),
  range: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
};

/** 'November 2026', 'November 15 – 21, 2026', 'Friday, November 20, 2026'. */
export function titleOfView(view: DaysView, date: string): string {
  const { from, to } = daysOfView(view, date);
  const at = (day: string) => new Date(`${day}T00:00:00Z`);
  if (view === 'month' || view === 'day') return formats[view].format(at(date));
  return formats.range.formatRange(at(from), at(to));
}

/** 'November 2026', 'Fri, Nov 20', or nothing above a list that names its days. */
export function shortTitleOfView(view: DaysView, date: string): string {
  if (view === 'month') return titleOfView(view, date);
  return view === 'day' ? formatDay(date, 'weekday') : '';
}
