import { expect, test } from 'vitest';
import { fileOf } from '../../testing/exports.ts';
import { readEvents } from './calendars.ts';

const clock = { timeZone: 'America/New_York', today: '2026-01-01' };

function eventsOf(content: string) {
  return Array.fromAsync(readEvents(fileOf('x.ics', content), clock));
}

function calendar(...events: string[][]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

const day = (uid: string, date: string) => [
  `UID:${uid}`,
  `SUMMARY:Event ${uid}`,
  `DTSTART;VALUE=DATE:${date}`,
];

test('events are rows, and a repeated event is a row for each time', async () => {
  const found = await eventsOf(
    calendar(
      [
        'UID:1',
        'SUMMARY:Trial\\, day one',
        'DTSTART:20260105T100000',
        'DTEND:20260105T120000',
        'LOCATION:Room 5',
        'DESCRIPTION:a\\nb',
        'URL:https://x.example/',
      ],
      day('2', '20260106'),
      ['UID:3', 'SUMMARY:Weekly', 'DTSTART:20260105T150000Z', 'RRULE:FREQ=WEEKLY;COUNT=2'],
      [
        'UID:3',
        'SUMMARY:Weekly, moved',
        'RECURRENCE-ID:20260112T150000Z',
        'DTSTART:20260113T150000Z',
      ],
    ),
  );
  expect(found.map((row) => ('cells' in row ? row.cells : row))).toEqual([
    {
      id: '1',
      title: 'Trial, day one',
      start: '2026-01-05T15:00:00.000Z',
      end: '2026-01-05T17:00:00.000Z',
      location: 'Room 5',
      text: 'a\nb\nhttps://x.example/',
    },
    { id: '2', title: 'Event 2', start: '2026-01-06', end: '2026-01-06', allDay: 'true' },
    {
      id: '3 2026-01-05T15:00:00.000Z',
      title: 'Weekly',
      start: '2026-01-05T15:00:00.000Z',
      end: '2026-01-05T15:00:00.000Z',
    },
    {
      id: '3 2026-01-12T15:00:00.000Z',
      title: 'Weekly, moved',
      start: '2026-01-13T15:00:00.000Z',
      end: '2026-01-13T15:00:00.000Z',
    },
  ]);
  expect(found.map(({ row }) => row)).toEqual([1, 2, 3, 4]);
});

test('a bad event among many is a problem of its own', async () => {
  const events = Array.from({ length: 40 }, (_, n) => day(String(n), '20260106'));
  const found = await eventsOf(
    calendar(...events.slice(0, 20), day('bad', '20260230'), ...events.slice(20)),
  );
  expect(found.filter((row) => 'cells' in row)).toHaveLength(40);
  expect(found[20]).toEqual({
    file: 'x.ics',
    row: 21,
    column: null,
    message: 'Event bad: The date does not exist',
  });
});

test('a calendar of more events than are read at once is read whole', async () => {
  const events = Array.from({ length: 1200 }, (_, n) => day(String(n), '20260106'));
  expect(await eventsOf(calendar(...events))).toHaveLength(1200);
});

test('canceled events are left out by name', async () => {
  expect(await eventsOf(calendar([...day('1', '20260106'), 'STATUS:CANCELLED']))).toMatchObject([
    { row: 1, message: 'Event 1: it was canceled' },
  ]);
});

test('a file without events is said', async () => {
  expect(await eventsOf('no calendar')).toMatchObject([{ message: 'The file has no events' }]);
});
