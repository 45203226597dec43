import { describe, expect, test } from 'vitest';
import {
  timesOf,
  hasEnded,
  narrowWindow,
  spanOf,
  timesAt,
  toTimes,
  windowOf,
} from './rules.times.ts';

const timeZone = 'America/New_York';
const timed = (start: string, end: string) => toTimes({ allDay: false, start, end, timeZone });
const wall = (wall_start: string, wall_end: string) =>
  timesOf({ wall_start, wall_end, time_zone: timeZone });

describe('the time of an event', () => {
  test('keeps what the clocks of its zone show', () => {
    expect(timed('2027-07-06T13:30:00.000Z', '2027-07-06T15:00:00.000Z')).toMatchObject({
      wall_start: '2027-07-06T09:30:00',
      wall_end: '2027-07-06T11:00:00',
      time_zone: timeZone,
    });
  });

  test('that the clocks skip is an hour later', () => {
    const { starts_at } = wall('2027-03-14T02:30:00', '2027-03-14T03:45:00');
    expect(starts_at?.toISOString()).toBe('2027-03-14T07:30:00.000Z');
  });

  test('that the clocks show twice is the first', () => {
    const { starts_at } = wall('2027-11-07T01:30:00', '2027-11-07T01:45:00');
    expect(starts_at?.toISOString()).toBe('2027-11-07T05:30:00.000Z');
  });

  test('never ends before it starts', () => {
    // From the second 1:30 to 1:40, of which the clocks know only the wall times.
    const { starts_at, ends_at } = wall('2027-03-14T02:50:00', '2027-03-14T03:10:00');
    expect(ends_at).toEqual(starts_at);
  });
});

describe('an occurrence', () => {
  const span = spanOf(timed('2027-03-12T14:00:00.000Z', '2027-03-12T15:00:00.000Z'));

  test('starts at the same time of day after summer time begins', () => {
    expect(timesAt('2027-03-15T09:00:00', span)?.starts_at?.toISOString()).toBe(
      '2027-03-15T13:00:00.000Z',
    );
  });

  test('of whole days lasts as many days', () => {
    const days = toTimes({ allDay: true, start: '2027-01-30', end: '2027-02-01', timeZone });
    expect(timesAt('2027-02-27', spanOf(days))).toMatchObject({
      first_day: '2027-02-27',
      last_day: '2027-03-01',
      starts_at: null,
    });
  });
});

test('a whole day ends at midnight in its own zone', () => {
  const day = { allDay: true, start: '2027-03-01', end: '2027-03-01' };
  const ends = [
    [timeZone, '2027-03-02T05:00:00Z'],
    ['Asia/Tokyo', '2027-03-01T15:00:00Z'],
  ] as const;
  for (const [zone, midnight] of ends) {
    const found = toTimes({ ...day, timeZone: zone });
    const before = new Date(Date.parse(midnight) - 1);
    expect([hasEnded(found, before), hasEnded(found, new Date(midnight))]).toEqual([false, true]);
  }
});

test('the days of a reader begin and end with the clocks of the reader’s zone', () => {
  expect(windowOf({ from: '2027-03-14', to: '2027-03-14' }, timeZone)).toMatchObject({
    begins: new Date('2027-03-14T05:00:00Z'),
    ends: new Date('2027-03-15T04:00:00Z'),
  });
  // Clocks in Cairo skip midnight on that day.
  expect(windowOf({ from: '2027-04-30', to: '2027-04-30' }, 'Africa/Cairo').begins).toEqual(
    new Date('2027-04-29T22:00:00Z'),
  );
});

describe('a window that ends earlier', () => {
  const weeks = windowOf({ from: '2031-03-01', to: '2031-04-11' }, timeZone);

  test('holds what begins until then, and a day more of whole days', () => {
    expect(narrowWindow(weeks, new Date('2031-03-02T16:20:00Z'), timeZone)).toEqual({
      ...weeks,
      to: '2031-03-03',
      ends: new Date('2031-03-02T16:21:00Z'),
    });
  });

  test('holds what runs into it when that is before it begins', () => {
    expect(narrowWindow(weeks, new Date('2031-01-05T16:20:00Z'), timeZone)).toEqual({
      ...weeks,
      to: '2031-03-01',
      ends: new Date('2031-03-01T05:01:00Z'),
    });
  });

  test('is never longer', () => {
    expect(narrowWindow(weeks, new Date('2031-05-01T00:00:00Z'), timeZone)).toEqual(weeks);
  });
});
