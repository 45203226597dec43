import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { counted } from '../../core/words.ts';
import { localDay, addDays } from '../../ui/days.ts';
import { byTime, daysOf } from './rules.ts';
import type { DayRange, GridView } from './rules.views.ts';

/** An entry in the grid: an item, a line at a deadline's time, or a day's "more" count. */
export type GridEntry = {
  id: string;
  title: string;
  start: string;
  /** The first day or instant after it. */
  end: string;
  allDay: boolean;
  display: 'auto' | 'block' | 'background';
  editable: boolean;
  extendedProps: EntryOf & { order: number; isOverdue: boolean };
};
export type EntryOf =
  | { kind: 'item'; item: CalendarItem }
  | { kind: 'line'; item: CalendarItem }
  /** The count of a day's further items, or of its tasks. */
  | { kind: 'more'; day: string; count: number; isOfTasks: boolean };

/** Lines of a day: in a month, and in the row above the hours. */
const MAX_LINES: Record<GridView, number> = { month: 5, week: 4, day: 12 };
/** Lines of a day's tasks, below the others; a month has a count of them. */
const MAX_TASK_LINES: Record<Exclude<GridView, 'month'>, number> = { week: 3, day: 12 };
/** The place of a month's count of tasks: after every line, before the rest. */
const TASKS_ORDER = 1_000_000;
/** Events side by side among the hours; a month has no hours. */
export const MAX_STACKED: Record<GridView, number> = { month: 1, week: 3, day: 8 };
/** Whether an open deadline has passed. @param firmDay by which days count, wherever the reader is */
export function isOverdue(
  { type, status, allDay, end }: CalendarItem,
  { now, firmDay }: { now: Date; firmDay: string },
): boolean {
  if (type !== 'deadline' || status !== 'open') return false;
  return allDay ? end < firmDay : Date.parse(end) < now.getTime();
}

/** Hard deadlines first, then what takes whole days, then the rest by time. */
function rankOf({ type, hard, allDay }: CalendarItem): number {
  if (type === 'deadline') return hard ? 0 : 2;
  if (type === 'task') return 4;
  if (type === 'caseDate') return 5;
  return allDay ? 1 : 3;
}

/** Whether an item has a line of its own on a day, rather than a place among the hours. */
function isInRow(item: CalendarItem, view: GridView): boolean {
  return view === 'month' || item.allDay || item.type === 'deadline' || item.type === 'task';
}

type PlacedItem = { item: CalendarItem; from: string; to: string };

function byRank(a: PlacedItem, b: PlacedItem): number {
  return rankOf(a.item) - rankOf(b.item) || byTime(a.item, b.item);
}

/** As many items as each day has lines for, in their order, and how many more it has. */
function chooseLines(
  placed: PlacedItem[],
  { lines, used, more }: { lines: number; used: Map<string, number>; more: Map<string, number> },
): PlacedItem[] {
  return placed.toSorted(byRank).filter(({ from, to }) => {
    const days: string[] = [];
    for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
    const isFull = days.some((day) => (used.get(day) ?? 0) >= lines);
    const counts = isFull ? more : used;
    for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
    return !isFull;
  });
}

/** Items with a line, and how many more each day has; tasks have lines of their own, or a count in a month. */
function chooseRow(placed: PlacedItem[], view: GridView) {
  const more = new Map<string, number>();
  const tasks = placed.filter(({ item }) => item.type === 'task');
  const others = placed.filter(({ item }) => item.type !== 'task');
  if (view !== 'month') {
    const shown = [
      ...chooseLines(others, { lines: MAX_LINES[view], used: new Map(), more }),
      ...chooseLines(tasks, { lines: MAX_TASK_LINES[view], used: new Map(), more }),
    ];
    return { shown, more, folded: [] };
  }
  const counts = Map.groupBy(tasks, ({ from }) => from);
  const folded = [...counts].flatMap(([day, due]) =>
    due.length > 1 ? [{ day, count: due.length }] : [],
  );
  const alone = tasks.filter(({ from }) => counts.get(from)?.length === 1);
  const used = new Map(folded.map(({ day }) => [day, 1]));
  const shown = chooseLines([...others, ...alone], { lines: MAX_LINES.month, used, more });
  return { shown, more, folded };
}

/** As many entries as have a place beside each other, and how many more each day has. */
function chooseTimed(
  timed: GridEntry[],
  { stacked, more }: { stacked: number; more: Map<string, number> },
): GridEntry[] {
  let beside: string[] = [];
  return timed
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
    .filter(({ start, end }) => {
      beside = beside.filter((until) => until > start);
      const isFull = beside.length >= stacked;
      const day = localDay(new Date(start));
      if (isFull) more.set(day, (more.get(day) ?? 0) + 1);
      else beside.push(end);
      return !isFull;
    });
}

function entryOf(
  item: CalendarItem,
  place: Pick<GridEntry, 'start' | 'end' | 'allDay'>,
  { order, overdue }: { order: number; overdue?: Set<string> },
): GridEntry {
  return {
    id: `${item.type}-${item.id}`,
    title: item.title,
    ...place,
    display: place.allDay ? 'block' : 'auto',
    editable: item.type === 'event' && item.canEdit,
    extendedProps: { kind: 'item', item, order, isOverdue: overdue?.has(item.id) ?? false },
  };
}

function rowEntry(
  { item, from, to }: PlacedItem,
  order: { order: number; overdue: Set<string> },
): GridEntry {
  const { type, allDay, start, end } = item;
  if (type !== 'event')
    return entryOf(item, { start: from, end: addDays(to, 1), allDay: true }, order);
  // An event keeps its whole length, which a drag moves.
  return entryOf(item, { start, end: allDay ? addDays(end, 1) : end, allDay }, order);
}

function countEntry(day: string, count: number, isOfTasks: boolean): GridEntry {
  return {
    id: `${isOfTasks ? 'tasks' : 'more'}-${day}`,
    title: isOfTasks ? counted(count, 'task') : `${count} more`,
    start: day,
    end: addDays(day, 1),
    allDay: true,
    display: 'block',
    editable: false,
    extendedProps: {
      kind: 'more',
      day,
      count,
      isOfTasks,
      order: isOfTasks ? TASKS_ORDER : Number.MAX_SAFE_INTEGER,
      isOverdue: false,
    },
  };
}

function addMinutes(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString();
}

/** Entry for an item among the hours. */
function timedEntry(item: CalendarItem, order: number): GridEntry {
  return entryOf(item, { start: item.start, end: item.end, allDay: false }, { order });
}

/** A hard deadline's time is also a line among the hours. */
function lineEntry(item: CalendarItem): GridEntry {
  return {
    ...entryOf(
      item,
      { start: item.start, end: addMinutes(item.start, 1), allDay: false },
      { order: 0 },
    ),
    id: `line-${item.id}`,
    display: 'background',
    editable: false,
    extendedProps: { kind: 'line', item, order: 0, isOverdue: false },
  };
}

/** Everything that a view draws of the items on its days. @param overdue ids of deadlines that have passed */
export function entriesOf(
  items: readonly CalendarItem[],
  { view, days, overdue }: { view: GridView; days: DayRange; overdue: Set<string> },
): GridEntry[] {
  const inRow = items
    .filter((item) => isInRow(item, view))
    .map((item) => clipToDays(item, days))
    .filter(({ from, to }) => from <= to);
  const { shown, more, folded } = chooseRow(inRow, view);
  const timed = items.filter((item) => !isInRow(item, view)).map(timedEntry);
  // Limits FullCalendar's layout work to the entries that it draws.
  const beside = chooseTimed(timed, { stacked: MAX_STACKED[view], more });
  const lines =
    view === 'month'
      ? []
      : items.filter(({ type, hard, allDay }) => type === 'deadline' && hard && !allDay);
  return [
    ...shown.map((placed, order) => rowEntry(placed, { order, overdue })),
    ...folded.map(({ day, count }) => countEntry(day, count, true)),
    ...[...more].map(([day, count]) => countEntry(day, count, false)),
    ...beside,
    ...lines.map(lineEntry),
  ];
}

/** The shown days that an item is on. */
function clipToDays(item: CalendarItem, days: DayRange): PlacedItem {
  const [first, last] = daysOf(item);
  return {
    item,
    from: first < days.from ? days.from : first,
    to: last > days.to ? days.to : last,
  };
}
