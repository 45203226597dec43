import { expect, test } from 'vitest';
import { calendarItem } from '../../testing/calendar-item.ts';
import { inShownOrder, shownDay } from './rules.next.ts';

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
