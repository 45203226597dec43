import { describe, expect, test } from 'vitest';
import { day, instant, isRealDay, timeZone, isTimeZone, zoneNamed } from './time.ts';

describe('a day', () => {
  const dateOfOpening = day('Date Of Opening', { required: 'Date of Opening is required' });
  const messageOf = (input: unknown) => dateOfOpening.safeParse(input).error?.issues[0]?.message;

  test.each(['2025-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '0099-12-31', '9999-12-31'])(
    '%s is one',
    (input) => {
      expect(dateOfOpening.parse(` ${input} `)).toBe(input);
      expect(isRealDay(input)).toBe(true);
    },
  );

  test.each([
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '0000-01-01',
    '10000-01-01',
    '-001-01-01',
    '2025-1-1',
    '25-01-01',
    '2025/01/01',
    '01-02-2025',
    '2025-01-01T00:00:00Z',
    '2025-01-01\0',
    '２０２５-01-01',
    'today',
    20250101,
    {},
    [],
    true,
  ])('%j is none', (input) => {
    expect(messageOf(input)).toBe('Date Of Opening must be a date');
  });

  test.each([undefined, null, '', '  '])('is required, and treats %j as missing', (input) => {
    expect(messageOf(input)).toBe('Date of Opening is required');
  });
});

describe('an instant', () => {
  const startTime = instant('Start time');
  const messageOf = (input: unknown) => startTime.safeParse(input).error?.issues[0]?.message;

  test.each([
    ['2025-03-03T09:00Z', '2025-03-03T09:00:00.000Z'],
    ['2025-03-03T09:00:30Z', '2025-03-03T09:00:30.000Z'],
    ['2025-03-03T09:00:30.5Z', '2025-03-03T09:00:30.500Z'],
    ['2025-03-03T09:00:30.123456789Z', '2025-03-03T09:00:30.123Z'],
    ['2025-03-03T09:00:00+05:30', '2025-03-03T03:30:00.000Z'],
    ['2025-01-01T01:00:00+02:00', '2024-12-31T23:00:00.000Z'],
    ['2025-12-31T23:00:00-02:00', '2026-01-01T01:00:00.000Z'],
    [' 2024-02-29T00:00:00Z ', '2024-02-29T00:00:00.000Z'],
  ])('%s is told in UTC', (input, output) => {
    expect(startTime.parse(input)).toBe(output);
  });

  test.each([
    '2025-03-03',
    '2025-03-03T09:00',
    '2025-03-03 09:00:00Z',
    '2025-03-03t09:00:00z',
    '2025-02-30T09:00:00Z',
    '2025-03-03T25:00:00Z',
    '2025-03-03T09:60:00Z',
    '2025-03-03T09:00:60Z',
    '2025-03-03T09:00:00+99:99',
    '2025-03-03T09:00:00+0530',
    '0999-12-31T23:59:59Z',
    '9999-12-31T23:59:59-14:00',
    '+010000-01-01T00:00:00Z',
    '1e21',
    1741000000000,
    {},
  ])('%j is none', (input) => {
    expect(messageOf(input)).toBe('Start time must be a date');
  });

  test.each([undefined, null, '', '  '])('is required, and treats %j as missing', (input) => {
    expect(messageOf(input)).toBe('Start time is required');
  });
});

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
  expect(zoneNamed(name)).toBe(place);
});
