import { expect, test } from 'vitest';
import { timeZone, isTimeZone, placeOf } from './time-zones.ts';

const zone = timeZone('Time Zone');

test.each([
  ['America/New_York', 'America/New_York'],
  [' america/chicago ', 'America/Chicago'],
  ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Panama', 'America/Panama'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['utc', 'UTC'],
])('%s is a time zone', (input, spelled) => {
  expect(zone.safeParse(input).data).toBe(spelled);
  expect(isTimeZone(spelled)).toBe(true);
});

test('each place that engines list is one', () => {
  expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([]);
});

test.each([
  'EST',
  'MST',
  'HST',
  'EST5EDT',
  'CET',
  'GMT',
  'Z',
  'US/Eastern',
  'Etc/GMT+5',
  'Etc/UTC',
  '+05:00',
  'Eastern Standard Time',
  'America',
  'America/Atlantis',
  'America/../America/New_York',
  `America/${'a'.repeat(900_000)}`,
])('%.30s is none', (input) => {
  const { error } = zone.safeParse(input);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Time Zone must be a time zone such as America/New_York',
  ]);
});

test.each([
  ['US/Eastern', 'America/New_York'],
  ['EST5EDT', 'America/New_York'],
  ['pst8pdt', 'America/Los_Angeles'],
  ['Canada/Pacific', 'America/Vancouver'],
  ['Etc/UTC', 'UTC'],
  ['America/Denver', 'America/Denver'],
  ['EST', undefined],
  ['MST', undefined],
  ['GMT', undefined],
  ['Etc/GMT+5', undefined],
  ['Eastern Standard Time', undefined],
])('a file that says %s means %s', (name, place) => {
  expect(placeOf(name)).toBe(place);
});
