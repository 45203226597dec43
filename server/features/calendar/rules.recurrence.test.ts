import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatRecurrence,
  frequencies,
  parseRecurrence,
  weekdays,
  type Recurrence,
} from '@matterdesk/contract/recurrence.ts';
import { addDays } from '../../core/dates.ts';
import { recurrenceOf, shiftRule, slotsOf } from './rules.recurrence.ts';

const clocks = { timeZone: 'America/New_York', isPause: () => false };
const slots = (rule: string, start: string, last = '2029-01-01') =>
  [...slotsOf(recurrenceOf(rule), start, { ...clocks, lastDay: last })].flat();

describe('a series', () => {
  test.each([
    ['FREQ=MONTHLY', '2027-01-31', ['2027-01-31', '2027-03-31', '2027-05-31']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2027-01-31', ['2027-01-31', '2027-02-28', '2027-03-31']],
    ['FREQ=MONTHLY;BYDAY=-1FR', '2027-01-29', ['2027-01-29', '2027-02-26', '2027-03-26']],
    ['FREQ=YEARLY', '2024-02-29', ['2024-02-29', '2028-02-29']],
    ['FREQ=WEEKLY;BYDAY=TU,TH', '2027-03-02', ['2027-03-02', '2027-03-04', '2027-03-09']],
    // Weeks begin on Monday.
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE', '2027-03-03', ['2027-03-03', '2027-03-15']],
  ])('of %s has its days', (rule, start, expected) => {
    expect(slots(rule, start).slice(0, expected.length)).toEqual(expected);
  });

  test('keeps its time of day', () => {
    expect(slots('FREQ=DAILY;COUNT=2', '2027-03-13T09:30:00')).toEqual([
      '2027-03-13T09:30:00',
      '2027-03-14T09:30:00',
    ]);
  });

  test('neither has nor counts what the clocks skip', () => {
    expect(slots('FREQ=DAILY;COUNT=3', '2027-03-13T02:30:00')).toEqual([
      '2027-03-13T02:30:00',
      '2027-03-15T02:30:00',
      '2027-03-16T02:30:00',
    ]);
    expect(slots('FREQ=DAILY;UNTIL=20270315', '2027-03-13T02:30:00')).toHaveLength(2);
  });

  test.each([
    ['FREQ=WEEKLY;BYDAY=MO,TU', '2027-03-01', '2027-03-03', 'FREQ=WEEKLY;BYDAY=WE,TH'],
    ['FREQ=MONTHLY;BYMONTHDAY=15', '2027-03-15', '2027-03-16', 'FREQ=MONTHLY;BYMONTHDAY=16'],
    ['FREQ=MONTHLY;BYDAY=2TU', '2027-03-09', '2027-03-17', 'FREQ=MONTHLY;BYDAY=3WE'],
    ['FREQ=MONTHLY;BYDAY=4TU', '2027-03-23', '2027-03-30', 'FREQ=MONTHLY;BYDAY=-1TU'],
    ['FREQ=DAILY;UNTIL=20270310', '2027-03-01', '2027-03-03', 'FREQ=DAILY;UNTIL=20270312'],
  ])('of %s that moves from %s to %s is one of other days', (rule, from, to, expected) => {
    expect(formatRecurrence(shiftRule(recurrenceOf(rule), from, to))).toBe(expected);
  });
});

test.each([
  'FREQ=HOURLY',
  'FREQ=DAILY;INTERVAL=100',
  'FREQ=DAILY;COUNT=731',
  'FREQ=DAILY;COUNT=2;UNTIL=20270101',
  'FREQ=DAILY;UNTIL=20270230',
  'FREQ=MONTHLY;BYDAY=TU',
  'FREQ=MONTHLY;BYDAY=5TU',
  'FREQ=MONTHLY;BYDAY=1MO,2TU',
  'FREQ=WEEKLY;BYDAY=1MO',
  'FREQ=WEEKLY;BYDAY=MO,MO',
  'FREQ=YEARLY;BYMONTH=2',
  'FREQ=DAILY;FREQ=DAILY',
  'BYDAY=MO',
  'freq=daily',
  '',
])('%s is no recurrence', (rule) => {
  expect(parseRecurrence(rule)).toBeUndefined();
});

const DAY = 86_400_000;
const dayAt = (n: number) => new Date(n * DAY).toISOString().slice(0, 10);

/** Whether a day belongs to a series, decided by looking at that day alone. */
function belongs(
  { frequency, interval, byDay, byMonthDay }: Recurrence,
  start: string,
  day: string,
) {
  const [from, at] = [new Date(start), new Date(day)];
  const days = (at.getTime() - from.getTime()) / DAY;
  const weekday = weekdays[(at.getUTCDay() + 6) % 7] ?? 'MO';
  const isNamed = byDay.some((named) => named.day === weekday);
  const months =
    (at.getUTCFullYear() - from.getUTCFullYear()) * 12 + at.getUTCMonth() - from.getUTCMonth();
  if (frequency === 'DAILY') return days % interval === 0 && (byDay.length === 0 || isNamed);
  if (frequency === 'WEEKLY') {
    const monday = (date: Date) => date.getTime() / DAY - ((date.getUTCDay() + 6) % 7);
    const weeks = (monday(at) - monday(from)) / 7;
    return weeks % interval === 0 && (byDay.length > 0 ? isNamed : days % 7 === 0);
  }
  const isSameDay = at.getUTCDate() === from.getUTCDate();
  if (frequency === 'YEARLY') return months % (12 * interval) === 0 && isSameDay;
  if (months % interval !== 0) return false;
  const length = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  const [nth, monthDay] = [byDay[0]?.nth, byMonthDay[0]];
  if (nth) {
    const fromEnd = at.getUTCDate() + 7 > length;
    return isNamed && (nth === -1 ? fromEnd : Math.ceil(at.getUTCDate() / 7) === nth);
  }
  if (monthDay) return at.getUTCDate() === (monthDay === -1 ? length : monthDay);
  return isSameDay;
}

const weekday = fc.constantFrom(...weekdays);
const recurrences = fc
  .record({
    frequency: fc.constantFrom(...frequencies),
    interval: fc.integer({ min: 1, max: 5 }),
    days: fc.uniqueArray(weekday, { minLength: 1, maxLength: 4 }),
    nth: fc.constantFrom(1, 2, 3, 4, -1),
    monthDay: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant(-1)),
    by: fc.constantFrom('day', 'monthDay', 'nothing'),
    until: fc.option(fc.integer({ min: 20_000, max: 21_500 }).map(dayAt)),
  })
  .map(({ frequency, interval, days, nth, monthDay, by, until }): Recurrence => {
    const isMonthly = frequency === 'MONTHLY';
    const hasDays = by === 'day' && frequency !== 'YEARLY';
    const named = isMonthly ? days.slice(0, 1) : days;
    return {
      frequency,
      interval,
      byDay: hasDays ? named.map((day) => ({ nth: isMonthly ? nth : null, day })) : [],
      byMonthDay: isMonthly && by === 'monthDay' ? [monthDay] : [],
      count: null,
      until,
    };
  });

test('every series has just the days that belong to it, wherever the search pauses', () => {
  const pauses = fc.infiniteStream(fc.boolean());
  const days = fc.integer({ min: 20_000, max: 21_000 });
  fc.assert(
    fc.property(recurrences, days, pauses, (recurrence, first, pause) => {
      const rule = formatRecurrence(recurrence);
      expect(parseRecurrence(rule)).toEqual(recurrence);
      const start = dayAt(first);
      const last = addDays(start, 400);
      const days = Array.from({ length: 401 }, (_, n) => addDays(start, n));
      const expected = days.filter(
        (day) => belongs(recurrence, start, day) && day <= (recurrence.until ?? last),
      );
      const isPause = () => pause.next().value === true;
      const found = [...slotsOf(recurrence, start, { ...clocks, lastDay: last, isPause })].flat();
      expect(found).toEqual(expected);
      const counted = { ...recurrence, until: null, count: found.length + 1 };
      const some = [...slotsOf(counted, start, { ...clocks, lastDay: last, isPause })].flat();
      expect(some.slice(0, found.length)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});
