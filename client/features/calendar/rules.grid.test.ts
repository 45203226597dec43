import { describe, expect, test } from 'vitest';
import type { CalendarItem } from '@matterdesk/contract/calendar.ts';
import { calendarItem } from '../../testing/factories.ts';
import { coveredHour } from './rules.full-calendar.ts';
import { entriesOf, isOverdue } from './rules.grid.ts';
import { clashInWords, movedByKey, timesOfSpan } from './rules.move.ts';
import { daysOfView, stepOf, titleOfView } from './rules.views.ts';

const instant = (local: string) => new Date(local).toISOString();
const item = (own: Partial<CalendarItem>) =>
  calendarItem({
    title: 'Call',
    kind: 'meeting',
    start: instant('2026-11-17T09:00'),
    end: instant('2026-11-17T10:00'),
    ...own,
  });
const day = (own: Partial<CalendarItem>) =>
  item({ allDay: true, start: '2026-11-17', end: '2026-11-17', ...own });
const titled = (items: CalendarItem[], view: 'month' | 'week') =>
  entriesOf(items, { view, days: daysOfView(view, '2026-11-17'), overdue: new Set() }).map(
    ({ title }) => title,
  );

test.each([
  ['09:44', undefined],
  ['09:45', 10],
  ['10:00', 10],
  ['10:15', 10],
  ['10:16', undefined],
  ['23:50', 24],
])('the present time %s covers the label of the hour %s', (time, hour) => {
  expect(coveredHour(new Date(`2026-11-17T${time}`))).toBe(hour);
});

describe('the window of a view', () => {
  test('is whole weeks for a month', () => {
    expect(daysOfView('month', '2026-11-17')).toEqual({ from: '2026-11-01', to: '2026-12-05' });
    expect(daysOfView('week', '2026-11-15')).toEqual({ from: '2026-11-15', to: '2026-11-21' });
  });

  test('steps to the months around it, from any day', () => {
    expect(stepOf('month', '2027-01-31', 1)).toBe('2027-02-01');
    expect(stepOf('month', '2027-01-31', -1)).toBe('2026-12-01');
    expect(stepOf('week', '2026-12-30', 1)).toBe('2027-01-06');
  });

  test('has a name', () => {
    expect(titleOfView('month', '2026-11-17')).toBe('November 2026');
    expect(titleOfView('week', '2026-11-17').replaceAll(/\s/g, ' ')).toBe('November 15 – 21, 2026');
    expect(titleOfView('day', '2026-11-20')).toBe('Friday, November 20, 2026');
  });
});

describe('the lines of a day', () => {
  test('begin with hard deadlines, and the rest is a number', () => {
    const errands = [1, 2, 3, 4, 5, 6].map((n) => day({ id: `e${n}`, title: `Errand ${n}` }));
    const deadline = { type: 'deadline', kind: 'response', status: 'open' } as const;
    const answer = day({ ...deadline, id: 'd', title: 'Answer', hard: true });
    expect(titled([...errands, answer], 'week')).toEqual([
      'Answer',
      'Errand 1',
      'Errand 2',
      'Errand 3',
      '3 more',
    ]);
  });

  test('count an event of several days on each of them', () => {
    const calls = [1, 2, 3, 4, 5].map((n) => item({ id: `c${n}`, title: `Call ${n}` }));
    const trial = day({ id: 't', title: 'Trial', start: '2026-11-16', end: '2026-11-18' });
    expect(titled([...calls, trial], 'month')).toEqual([
      'Trial',
      'Call 1',
      'Call 2',
      'Call 3',
      'Call 4',
      '1 more',
    ]);
  });

  test('count what has no place among the hours', () => {
    const calls = [1, 2, 3, 4, 5].map((n) => item({ id: `c${n}`, title: `Call ${n}` }));
    const later = item({
      id: 'l',
      title: 'Later',
      start: calls[0]?.end ?? '',
      end: instant('2026-11-17T11:00'),
    });
    expect(titled([...calls, later], 'week')).toEqual([
      '2 more',
      'Call 1',
      'Call 2',
      'Call 3',
      'Later',
    ]);
  });

  test('have tasks below them in a week, and a count of them in a month', () => {
    const errands = [1, 2, 3, 4].map((n) => day({ id: `e${n}`, title: `Errand ${n}` }));
    const tasks = [1, 2, 3, 4].map((n) =>
      item({ type: 'task', id: `t${n}`, title: `Task ${n}`, end: instant('2026-11-17T17:00') }),
    );
    const alone = item({ type: 'task', id: 'a', title: 'Alone', end: instant('2026-11-18T17:00') });
    const rest = ['Errand 1', 'Errand 2', 'Errand 3', 'Errand 4'];
    expect(titled([...tasks, ...errands, alone], 'week')).toEqual([
      ...rest,
      'Task 1',
      'Task 2',
      'Task 3',
      'Alone',
      '1 more',
    ]);
    expect(titled([...tasks, ...errands, alone], 'month')).toEqual([...rest, 'Alone', '4 tasks']);
  });

  test('leave events with a time to the hours of a week', () => {
    const [entry] = entriesOf([item({})], {
      view: 'week',
      days: daysOfView('week', '2026-11-17'),
      overdue: new Set(),
    });
    expect(entry).toMatchObject({ allDay: false, editable: true });
  });
});

test('a deadline is overdue once its day or its time has passed', () => {
  const now = new Date('2026-11-20T12:00');
  const due = (own: Partial<CalendarItem>) =>
    isOverdue(day({ type: 'deadline', status: 'open', end: '2026-11-20', ...own }), {
      now,
      firmDay: '2026-11-20',
    });
  expect(due({})).toBe(false);
  expect(due({ end: '2026-11-19' })).toBe(true);
  expect(due({ end: '2026-11-19', status: 'done' })).toBe(false);
  expect(due({ allDay: false, end: instant('2026-11-20T11:59') })).toBe(true);
});

describe('a move', () => {
  const { allDay, start, end } = item({});
  const times = { allDay, start, end };

  test('by keys moves in steps of a quarter of an hour or a day', () => {
    const by = { view: 'week', isResize: false } as const;
    expect(movedByKey(times, { ...by, key: 'ArrowDown' })?.start).toBe(instant('2026-11-17T09:15'));
    expect(movedByKey(times, { ...by, key: 'ArrowLeft' })?.start).toBe(instant('2026-11-16T09:00'));
    expect(movedByKey(times, { ...by, key: 'a' })).toBeNull();
  });

  test('of the end never empties an event', () => {
    const by = { view: 'week', isResize: true, key: 'ArrowUp' } as const;
    const short = { ...times, end: instant('2026-11-17T09:15') };
    expect(movedByKey(times, by)).toEqual({ ...times, end: instant('2026-11-17T09:45') });
    expect(movedByKey(short, by)).toBeNull();
  });

  test('ends on the day before the one that follows it', () => {
    const span = { allDay: true, start: new Date('2026-11-17T00:00') };
    expect(timesOfSpan({ ...span, end: new Date('2026-11-19T00:00') }).end).toBe('2026-11-18');
    expect(timesOfSpan({ ...span, end: null }).end).toBe('2026-11-17');
  });

  test('says who would be elsewhere', () => {
    const people = [{ id: 'rune', firstName: 'Rune', lastName: 'Lindqvist' }];
    const other = item({ id: 'two', title: 'Client call', people });
    expect(clashInWords([other], item({ people }), times)).toBe(
      'Rune Lindqvist is in “Client call” until 10:00 AM',
    );
    expect(clashInWords([other], item({}), times)).toBeNull();
    const after = { allDay, start: end, end: instant('2026-11-17T11:00') };
    expect(clashInWords([other], item({ people }), after)).toBeNull();
  });
});
