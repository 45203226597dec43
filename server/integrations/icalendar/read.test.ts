import { expect, test } from 'vitest';
import { readCalendar } from './read.ts';
import type { ReadEvent } from './reader.ts';
import { writeCalendar, type Entry } from './write.ts';

const at = new Date('2027-01-01T00:00:00Z');

function read(lines: string[], own: { timeZone?: string; today?: string } = {}) {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n');
  return readCalendar({ text, timeZone: 'America/New_York', today: '2027-01-15', ...own });
}

function eventsOf(...parts: Parameters<typeof read>): ReadEvent[] {
  const reading = read(...parts);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.events;
}

const event = (lines: string[], uid = 'one@court.example') => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20270101T000000Z',
  'SUMMARY:Status conference',
  ...lines,
  'END:VEVENT',
];
const startsOf = ({ times }: ReadEvent) => times.map(({ start }) => start);

test('the reader reads what it wrote', () => {
  const entry: Entry = {
    uid: 'a@matterdesk',
    sequence: 3,
    modified: undefined,
    title: 'Doe v. Roe, “Über-hearing”; with \\ signs',
    allDay: false,
    start: '2027-03-14T06:30:00.000Z',
    end: '2027-03-14T07:30:00.000Z',
    location: 'Room 4, 1 Main St',
    link: 'https://court.example/a?b=c,d;e',
    description: `${'Long é line. '.repeat(40)}\nand another`,
    category: '',
    isCanceled: false,
    isBusy: true,
  };
  const text = [...writeCalendar({ method: 'PUBLISH', at }, [entry])].join('');
  const reading = readCalendar({ text, timeZone: 'America/New_York', today: '2027-01-15' });
  expect(reading).toMatchObject({ method: 'PUBLISH' });
  const [found] = 'events' in reading ? reading.events : [];
  const { title, location, link, description: notes, start, end, uid, sequence } = entry;
  expect(found).toMatchObject({ title, location, link, notes, uid, sequence, problem: null });
  expect(found?.times).toEqual([{ start, end, slot: '' }]);
});

const easternByOutlook = [
  'BEGIN:VTIMEZONE',
  'TZID:Eastern Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

test.each<[string, string[], string[]]>([
  ['UTC', ['DTSTART:20270203T150000Z'], ['2027-02-03T15:00:00.000Z']],
  [
    'a floating time in the zone of the firm',
    ['DTSTART:20270703T090000'],
    ['2027-07-03T13:00:00.000Z'],
  ],
  [
    'a zone by its name',
    ['DTSTART;TZID=Europe/Berlin:20270203T150000'],
    ['2027-02-03T14:00:00.000Z'],
  ],
  [
    'a zone that the file describes, in winter',
    ['DTSTART;TZID=Eastern Standard Time:20270203T090000'],
    ['2027-02-03T14:00:00.000Z'],
  ],
  [
    'a zone that the file describes, in summer',
    ['DTSTART;TZID=Eastern Standard Time:20440703T090000'],
    ['2044-07-03T13:00:00.000Z'],
  ],
  ['a day', ['DTSTART;VALUE=DATE:20270203', 'DTEND;VALUE=DATE:20270205'], ['2027-02-03']],
  ['a time that clocks skip', ['DTSTART:20270314T023000'], ['2027-03-14T07:30:00.000Z']],
  ['the first of two equal times', ['DTSTART:20271107T013000'], ['2027-11-07T05:30:00.000Z']],
  [
    'a series across a change of clocks, without what is left out',
    [
      'DTSTART;TZID=America/New_York:20270308T090000',
      'RRULE:FREQ=WEEKLY;COUNT=3',
      'EXDATE:20270315T130000Z',
    ],
    ['2027-03-08T14:00:00.000Z', '2027-03-22T13:00:00.000Z'],
  ],
  [
    'a series without what the clocks skip, which is not counted',
    ['DTSTART;TZID=America/New_York:20270313T023000', 'RRULE:FREQ=DAILY;COUNT=3'],
    ['2027-03-13T07:30:00.000Z', '2027-03-15T06:30:00.000Z', '2027-03-16T06:30:00.000Z'],
  ],
  [
    'the same in a zone that the file describes',
    ['DTSTART;TZID=Eastern Standard Time:20270313T023000', 'RRULE:FREQ=DAILY;COUNT=3'],
    ['2027-03-13T07:30:00.000Z', '2027-03-15T06:30:00.000Z', '2027-03-16T06:30:00.000Z'],
  ],
  [
    'February 29 in leap years alone',
    ['DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY;UNTIL=20330101'],
    ['2024-02-29', '2028-02-29', '2032-02-29'],
  ],
  [
    'the 31st in long months alone',
    ['DTSTART;VALUE=DATE:20270131', 'RRULE:FREQ=MONTHLY;UNTIL=20270601'],
    ['2027-01-31', '2027-03-31', '2027-05-31'],
  ],
])('the reader reads %s', (_, lines, starts) => {
  const [found] = eventsOf([...easternByOutlook, ...event(lines)]);
  expect(found?.problem).toBeNull();
  expect(found && startsOf(found)).toEqual(starts);
});

test.each([
  ['US/Eastern', 'America/New_York', '2027-07-03T13:00:00.000Z'],
  ['EST5EDT', 'America/New_York', '2027-07-03T13:00:00.000Z'],
  ['Etc/GMT+5', 'UTC', '2027-07-03T14:00:00.000Z'],
])('the reader reads the old name %s as %s', (name, timeZone, start) => {
  const [found] = eventsOf(event([`DTSTART;TZID=${name}:20270703T090000`]));
  expect(found).toMatchObject({ problem: null, timeZone });
  expect(found?.times[0]?.start).toBe(start);
});

test('the reader takes EST for the zone that the file describes, and for none without a description', () => {
  const july = event(['DTSTART;TZID=EST:20270703T090000']);
  const described = easternByOutlook.map((line) => line.replace('Eastern Standard Time', 'EST'));
  const [found] = eventsOf([...described, ...july]);
  expect(found).toMatchObject({ problem: null, timeZone: 'UTC' });
  expect(found?.times[0]?.start).toBe('2027-07-03T13:00:00.000Z');
  expect(eventsOf(july)[0]?.problem).toBe('Its time zone is unknown');
});

test('the reader ends days on the last one, and keeps the rule of a plain series', () => {
  const days = ['DTSTART;VALUE=DATE:20270203', 'DTEND;VALUE=DATE:20270205'];
  expect(eventsOf(event(days))[0]?.times[0]).toMatchObject({
    start: '2027-02-03',
    end: '2027-02-04',
  });
  const ruleOf = (rule: string, more: string[] = []) =>
    eventsOf(event(['DTSTART:20270201T090000', `RRULE:${rule}`, ...more]))[0]?.rule;
  expect(ruleOf('FREQ=WEEKLY;BYDAY=MO;UNTIL=20270401T235959Z')).toBe(
    'FREQ=WEEKLY;BYDAY=MO;UNTIL=20270401',
  );
  expect(ruleOf('FREQ=WEEKLY;COUNT=3', ['EXDATE:20270208T090000'])).toBeNull();
});

test('the reader tells an occurrence that was changed alone from its series', () => {
  const series = ['DTSTART:20270201T140000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'];
  const part = ['RECURRENCE-ID:20270208T140000Z', 'DTSTART:20270209T160000Z', 'SEQUENCE:2'];
  const found = eventsOf([...event(series), ...event(part)]);
  expect(
    found.map(({ isPart, rule, times }) => [isPart, rule, times.map(({ slot }) => slot)]),
  ).toEqual([
    [false, null, ['2027-02-01T14:00:00.000Z', '2027-02-15T14:00:00.000Z']],
    [true, null, ['2027-02-08T14:00:00.000Z']],
  ]);
});

test.each([
  ['without a start', [], 'It has no start'],
  ['with a text as its start', ['DTSTART:soon'], 'It can’t be read'],
  [
    'that ends before it starts',
    ['DTSTART:20270203T150000Z', 'DTEND:20270203T140000Z'],
    'It ends before it starts',
  ],
  [
    'in a zone that no one knows',
    ['DTSTART;TZID=Eastern Time:20270203T150000'],
    'Its time zone is unknown',
  ],
  ['of another age', ['DTSTART:00010203T150000Z'], 'Its date is out of range'],
  [
    'that repeats by the second',
    ['DTSTART:20270203T150000Z', 'RRULE:FREQ=SECONDLY'],
    'It repeats in a way that is not supported',
  ],
])('the reader names the problem of an event %s, and of no other', (_, lines, problem) => {
  const right = event(['DTSTART:20270203T150000Z'], 'two');
  const found = eventsOf([...event(lines), ...right]);
  expect(found.map((one) => one.problem)).toEqual([problem, null]);
});

test.each([
  ['DTSTART:20271345T999999Z'],
  ['DTSTART;VALUE=DATE:20270230'],
  ['DTSTART:20270203T240000'],
  ['DTSTART;TZID="a:b":20270203T126000'],
  ['DTSTART:20270203T120061Z'],
  ['DTSTART:20270203T150000+0500'],
  ['DTSTART;VALUE=DATE:00000101'],
  ['DTSTART:20270203T150000Z', 'DTEND:20270231T150000Z'],
  ['DTSTART:20270203T150000Z', 'dtend:20270203T256000Z'],
  ['DTSTART:20270203T150000Z', 'RRULE:FREQ=DAILY;UNTIL=20270230'],
  ['DTSTART:20270203T150000Z', 'RRULE:FREQ=DAILY;UNTIL=2027-02-20'],
  ['DTSTART:20270203T150000Z', 'RRULE:FREQ=DAILY', 'EXDATE:20270204T150000Z,2027020', ' 4T990000Z'],
  ['DTSTART:20270203T150000Z', 'RDATE;VALUE=PERIOD:20270204T150000Z/20270230T150000Z'],
  ['DTSTART:20270203T150000Z', 'RECURRENCE-ID:20270432T150000Z'],
  ['DTSTAMP:20270001T000000Z', 'DTSTART:20270203T150000Z'],
])('the reader refuses a file with %s, whose date does not exist', (...lines) => {
  const right = event(['DTSTART:20270203T150000Z'], 'two');
  const reading = read([...right, ...event(lines)]);
  const problem = 'problem' in reading ? reading.problem : '';
  const [, line] = /^Line (\d+): the date does not exist$/.exec(problem) ?? [];
  expect(Number(line)).toBeGreaterThan(2 + right.length);
  const task = ['BEGIN:VTODO', 'UID:3', 'DUE;VALUE=DATE:20270431', 'END:VTODO'];
  expect(read(task)).toEqual({ problem: 'Line 5: the date does not exist' });
});

test('the reader reads a leap second, and what old exports invent', () => {
  const lines = ['DTSTART:20270203T150000Z', 'DTEND:20270203T155960Z', 'CREATED:00001231T000000Z'];
  expect(eventsOf(event(lines))[0]).toMatchObject({
    problem: null,
    times: [{ end: '2027-02-03T16:00:00.000Z' }],
  });
});

test('the reader bounds what a hostile file asks for', () => {
  const daily = (start: string, rule: string) =>
    eventsOf(event([`DTSTART:${start}`, `RRULE:${rule}`]))[0]?.times ?? [];
  expect(daily('20270101T090000', 'FREQ=DAILY')).toHaveLength(730);
  expect(daily('20270101T090000', 'FREQ=DAILY;COUNT=100000000')).toHaveLength(730);
  const old = daily('20080101T090000', 'FREQ=DAILY');
  expect([old.length, old[0]?.start]).toEqual([730, '2026-12-16T14:00:00.000Z']);
  expect(daily('20270101T090000', 'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31')).toHaveLength(1);
  expect(read(Array.from({ length: 100_000 }, () => 'BEGIN:VEVENT'))).toHaveProperty('problem');
  expect(read(event([`SUMMARY:${'x'.repeat(300_000)}`]))).toEqual({
    problem: 'A line of the file is too long',
  });
  expect(read(event([`SUMMARY:x${'\r\n x'.repeat(200_000)}`]))).toEqual({
    problem: 'A line of the file is too long',
  });
  const many = Array.from({ length: 7 }, (_, n) =>
    event(['DTSTART:20270101T090000', 'RRULE:FREQ=DAILY'], `${n}`),
  );
  expect(read(many.flat())).toEqual({ problem: 'A file can have up to 5,000 events' });
  const zone = easternByOutlook.map((line) => line.replace('YEARLY', 'SECONDLY'));
  const inZone = event(['DTSTART;TZID=Eastern Standard Time:20270203T090000']);
  expect(eventsOf([...zone, ...inZone])[0]?.problem).toBe('Its time zone is unknown');
  for (const text of [
    '',
    'hello',
    '%PDF-1.7',
    'BEGIN:VCARD\r\nEND:VCARD',
    'BEGIN:VEVENT\r\nEND:VEVENT',
  ])
    expect(readCalendar({ text, timeZone: 'UTC', today: '2027-01-15' })).toEqual({
      problem: 'The file is not a calendar',
    });
});

test('the reader keeps texts on their lines, and takes web addresses only', () => {
  const [found] = eventsOf(
    event([
      'DTSTART:20270203T150000Z',
      'LOCATION:Room\\n4\u202e5',
      'URL:javascript:alert(1)',
      `DESCRIPTION:${'é'.repeat(5000)}`,
    ]),
  );
  expect(found).toMatchObject({ location: 'Room 4 5', link: '' });
  expect(found?.notes).toHaveLength(4000);
});
