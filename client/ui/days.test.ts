import { expect, test } from 'vitest';
import { dayIn, daysBetween, formatDay, localDay } from './days.ts';

test('a day field takes the day of an instant in the time zone of the reader', () => {
  expect(localDay(new Date(2026, 10, 5, 0, 0, 1))).toBe('2026-11-05');
  expect(localDay(new Date(2026, 10, 5, 23, 59, 59))).toBe('2026-11-05');
});

test('a day field counts days across a clock change and a leap day', () => {
  expect(daysBetween('2026-03-07', '2026-03-09')).toBe(2);
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
  expect(daysBetween('2026-03-09', '2026-03-07')).toBe(-2);
});

test('a day field formats a day independently of the time zone', () => {
  expect(formatDay('2027-02-12')).toBe('Feb 12, 2027');
  expect(formatDay('2026-11-23', 'weekday')).toBe('Mon, Nov 23');
  expect(formatDay('2026-11-20', 'long')).toBe('Friday, November 20');
});

test('a day begins and ends by its own time zone', () => {
  const at = new Date('2026-11-30T03:30:00Z');
  expect(dayIn(at, 'America/New_York')).toBe('2026-11-29');
  expect(dayIn(at, 'Asia/Tokyo')).toBe('2026-11-30');
  expect(dayIn(at, undefined)).toBe(localDay(at));
});
