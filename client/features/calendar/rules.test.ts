import { describe, expect, test } from 'vitest';
import type { CalendarEvent, CalendarItem } from '@matterdesk/contract/calendar.ts';
import { calendarItem } from '../../testing/factories.ts';
import {
  changesOf,
  inputsOf,
  skippedTo,
  toNewEvent,
  endErrorOf,
  repeatsOf,
  repetitionsOf,
  ruleOf,
} from './rules.form.ts';
import { addressOf, reminderInWords, byDay, formatLength, groupOf, shownOn } from './rules.ts';

describe('the days of the calendar', () => {
  const shown = (own: Partial<CalendarItem>) =>
    byDay([calendarItem(own)], { from: '2027-02-01', to: '2027-02-07' }).map(({ day }) => day);

  test('hold an event on each of its days that is shown', () => {
    expect(shown({ allDay: true, start: '2027-01-30', end: '2027-02-02' })).toEqual([
      '2027-02-01',
      '2027-02-02',
    ]);
  });

  test('do not hold what ended at midnight before', () => {
    expect(
      shown({
        start: new Date('2027-02-03T22:00').toISOString(),
        end: new Date('2027-02-04T00:00').toISOString(),
      }),
    ).toEqual(['2027-02-03']);
  });

  test('list deadlines first, then whole days, then the rest by time, tasks when they are due', () => {
    const at = (hour: string) => new Date(`2027-02-03T${hour}`).toISOString();
    const [day] = byDay(
      [
        calendarItem({ id: 'due later', type: 'task', start: at('01:00'), end: at('12:45') }),
        calendarItem({ id: 'due first', type: 'task', start: at('02:00'), end: at('06:45') }),
        calendarItem({ id: 'hearing', start: at('09:00'), end: at('10:00') }),
        calendarItem({ id: 'retreat', allDay: true, start: '2027-02-03', end: '2027-02-03' }),
        calendarItem({
          id: 'deadline',
          type: 'deadline',
          allDay: true,
          start: '2027-02-03',
          end: '2027-02-03',
        }),
      ],
      { from: '2027-02-01', to: '2027-02-07' },
    );
    const ids = day?.items.map(({ id }) => id);
    expect(ids).toEqual(['deadline', 'retreat', 'due first', 'hearing', 'due later']);
  });

  test('hold a task on the day when it is due', () => {
    const end = new Date('2027-02-05T17:00').toISOString();
    expect(shown({ type: 'task', kind: null, end })).toEqual(['2027-02-05']);
  });

  test('count no task that is due after them', () => {
    const at = (day: string) => new Date(`${day}T17:00`).toISOString();
    const items = [
      calendarItem({ id: 'due', type: 'task', start: at('2027-01-20'), end: at('2027-02-05') }),
      calendarItem({ id: 'later', type: 'task', start: at('2027-02-05'), end: at('2027-03-01') }),
      calendarItem({ id: 'retreat', allDay: true, start: '2027-01-30', end: '2027-02-02' }),
    ];
    const counted = shownOn(items, { from: '2027-02-01', to: '2027-02-07' });
    expect(counted.map(({ id }) => id)).toEqual(['due', 'retreat']);
  });
});

test('a task of a matter leads to its card on the board', () => {
  const matter = { id: 'c1', caseName: 'Abara v. Northline Freight' } as const;
  const task = calendarItem({ id: 't1', type: 'task', kind: null, case: matter });
  expect(addressOf(task)).toBe('/dashboard/tasks?case=c1&task=t1');
});

test.each([
  [{ type: 'event', kind: 'trial' }, 'court'],
  [{ type: 'event', kind: 'mediation' }, 'adr'],
  [{ type: 'event', kind: 'other' }, 'meeting'],
  [{ type: 'task', kind: null }, 'task'],
] as const)('%j belongs to %s', (of, group) => {
  expect(groupOf(of)).toBe(group);
});

test.each([
  [45, '45 min'],
  [60, '1 h'],
  [90, '1 h 30 min'],
  [0, ''],
])('%i minutes are %j', (minutes, words) => {
  const start = '2027-02-03T09:00:00.000Z';
  const end = new Date(Date.parse(start) + minutes * 60_000).toISOString();
  expect(formatLength(start, end)).toBe(words);
});

describe('the form of an event', () => {
  const event: CalendarEvent = {
    ...calendarItem({}),
    kind: 'hearing',
    series: null,
    timeZone: 'UTC',
    location: 'Room 2',
    link: '',
    notes: '',
    guests: [],
    source: null,
    recurrence: null,
    reminders: [],
    sequence: 0,
    organizer: { id: 'ada', firstName: 'Ada', lastName: 'Lovelace' },
    updatedAt: '2027-01-01T00:00:00.000Z',
  };
  const opened = inputsOf(event);

  test('sends only what changed', () => {
    expect(changesOf(opened, { ...opened, location: 'Room 3' })).toEqual({ location: 'Room 3' });
    expect(changesOf(opened, { ...opened })).toEqual({});
  });

  test('sends both times when either moves', () => {
    expect(changesOf(opened, { ...opened, end: '2027-02-03T23:00' })).toEqual({
      start: event.start,
      end: '2027-02-03T23:00:00.000Z',
      allDay: false,
    });
  });

  test('sends days for whole days', () => {
    const inputs = { ...opened, allDay: true, start: '2027-02-03', end: '2027-02-04' };
    expect(toNewEvent(inputs)).toMatchObject({ start: '2027-02-03', end: '2027-02-04' });
  });

  test('offers the last day of a month on that day', () => {
    const offered = (start: string) => repetitionsOf(start).map(({ value }) => value);
    expect(offered('2027-02-28')).toContain('FREQ=MONTHLY;BYMONTHDAY=-1');
    expect(offered('2027-02-27')).not.toContain('FREQ=MONTHLY;BYMONTHDAY=-1');
    expect(offered('2027-02-03T09:00')).toContain('FREQ=WEEKLY;BYDAY=WE');
  });

  test('takes a guest a line, with a name or without', () => {
    const guests = 'R. Moreau <moreau@example.com>\n\nlee@example.com';
    expect(toNewEvent({ ...opened, guests }).guests).toEqual([
      { name: 'R. Moreau', email: 'moreau@example.com' },
      { name: '', email: 'lee@example.com' },
    ]);
    expect(toNewEvent({ ...opened, reminders: null })).not.toHaveProperty('reminders');
  });

  test('takes the time of its zone, and says which times the clock skips', () => {
    const inputs = { ...opened, start: '2027-02-03T09:00', timeZone: 'America/New_York' };
    expect(changesOf(opened, inputs)).toMatchObject({
      start: '2027-02-03T14:00:00.000Z',
      timeZone: 'America/New_York',
    });
    expect(skippedTo('2027-03-14T02:30', 'America/New_York')).toMatch(/^3:30.AM$/);
    expect(skippedTo('2027-11-07T01:30', 'America/New_York')).toBeNull();
    expect(skippedTo('', 'America/New_York')).toBeNull();
  });
});

describe('a rule', () => {
  test.each([
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO;UNTIL=20270331',
    'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
  ])('%s is the same after a form', (rule) => {
    expect(ruleOf(repeatsOf(rule))).toBe(rule);
  });

  test('needs the end that it names', () => {
    const rule = { repeats: 'FREQ=DAILY', ends: 'count', until: '', count: '731' } as const;
    expect(endErrorOf(rule)).toEqual({
      name: 'count',
      message: 'Events must be a number from 1 to 730',
    });
    expect(endErrorOf({ ...rule, ends: 'until' })?.name).toBe('until');
    expect(endErrorOf({ ...rule, count: '730' })).toBeNull();
  });
});

test.each([
  [0, 'At the start'],
  [90, '90 minutes before'],
  [60, '1 hour before'],
  [2880, '2 days before'],
])('a reminder of %i minutes is %j', (minutes, words) => {
  expect(reminderInWords(minutes)).toBe(words);
});
