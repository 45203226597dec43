import { expect, test } from 'vitest';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { calendarItem } from '../../testing/factories.ts';
import { nextDates, stillOverdue, entriesOfDay, inShownOrder, shownDay } from './rules.agenda.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
const item = (title: string, own: Partial<CalendarItem> = {}) =>
  calendarItem({
    id: title,
    title,
    case: { id: 'c', caseName: 'Abara' },
    start: at(20, 9),
    end: at(20, 10),
    ...own,
  });
const task = (title: string, start: string, end: string, own: Partial<CalendarItem> = {}) =>
  item(title, { type: 'task', kind: null, start, end, ...own });
const deadline = (title: string, day: string, own: Partial<CalendarItem> = {}) =>
  item(title, {
    type: 'deadline',
    kind: 'filing',
    allDay: true,
    start: day,
    end: day,
    status: 'open',
    ...own,
  });

test('today’s list lists limitations and deadlines of the day first, then by time, then tasks that go on by their end', () => {
  const limitation = deadline('Statute of limitations', '2026-11-20', {
    kind: 'limitation',
    hard: true,
  });
  const entries = entriesOfDay(
    {
      own: [
        task('Runs', at(18, 9), at(30, 9)),
        task('Runs less', at(19, 9), at(21, 9)),
        task('Ends', at(18, 9), at(20, 16)),
        task('Done', at(18, 9), at(20, 16), { status: 'done' }),
        item('Hearing'),
        item('Canceled', { cancelled: true }),
        item('Conference', { allDay: true, start: '2026-11-20', end: '2026-11-21' }),
        item('Opened', { type: 'caseDate', kind: null }),
        deadline('Serve', '2026-11-20'),
        deadline('Served', '2026-11-20', { status: 'done' }),
      ],
      deadlines: [deadline('Of another', '2026-11-20'), limitation],
    },
    '2026-11-20',
  );
  expect(entries.map((entry) => [entry.item.title, entry.note, entry.isHard])).toEqual([
    ['Statute of limitations', 'Abara', true],
    ['Serve', 'Abara', false],
    ['Conference', 'Abara', false],
    ['Hearing', 'Abara', false],
    ['Ends', 'Due · Abara', false],
    ['Runs less', 'Until Nov 21 · Abara', false],
    ['Runs', 'Until Nov 30 · Abara', false],
  ]);
  // Work that goes on is not an event of the whole day.
  expect(entries.map(({ time }) => time).slice(2)).toEqual([
    'All day',
    '9:00 AM',
    '4:00 PM',
    'Task',
    'Task',
  ]);
});

test('done, canceled and past items are not next dates, but overdue ones are', () => {
  const now = new Date(2026, 10, 20, 12);
  const items = [
    deadline('Overdue', '2026-11-02'),
    deadline('Served', '2026-11-24', { status: 'done' }),
    item('Over'),
    task('Done', at(19, 9), at(24, 9), { status: 'done' }),
    task('To do', at(19, 9), at(24, 9)),
    item('Canceled', { start: at(25, 9), end: at(25, 10), cancelled: true }),
  ];
  expect(nextDates(items, now).map(({ title }) => title)).toEqual(['Overdue', 'To do']);
  const limitation = deadline('Limitation', '2025-11-02', { kind: 'limitation' });
  expect(stillOverdue([...items, limitation]).map(({ title }) => title)).toEqual(['Overdue']);
});

const on = (start: string, end = start) => ({ allDay: true, start, end });

test('next dates are in order of the days they show, the late ones first', () => {
  const at = (text: string) => new Date(text).toISOString();
  const items = [
    calendarItem({ id: 'hearing', start: at('2027-02-10T09:00'), end: at('2027-02-10T10:00') }),
    // Begun long ago, shown on the day when it is due.
    calendarItem({
      id: 'task',
      type: 'task',
      start: at('2026-12-01T09:00'),
      end: at('2027-02-12T17:00'),
    }),
    calendarItem({ id: 'retreat', ...on('2027-01-30', '2027-02-06') }),
    calendarItem({ id: 'late', type: 'deadline', ...on('2027-02-01') }),
    calendarItem({ id: 'later', type: 'deadline', ...on('2027-02-10') }),
  ];
  expect(inShownOrder(items, '2027-02-05').map(({ id }) => id)).toEqual([
    'late',
    'retreat',
    'later',
    'hearing',
    'task',
  ]);
});

test('an item that has begun shows today while it lasts', () => {
  const item = calendarItem(on('2027-01-30', '2027-02-06'));
  expect(shownDay(item, '2027-02-05')).toBe('2027-02-05');
  expect(shownDay(item, '2027-01-01')).toBe('2027-01-30');
});
