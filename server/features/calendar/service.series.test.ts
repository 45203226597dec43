import { describe, expect, test } from 'vitest';
import {
  calendarRoutes,
  type CalendarEvent,
  type EventPatch,
  type SeriesScope,
} from '@matterdesk/contract/calendar.ts';
import { suite } from '../../testing/app.ts';
import { addEvent, registerUser } from '../../testing/factories.ts';
import { extendSeries } from './service.series.ts';

const { app, ada } = suite({ ada: registerUser });

async function occurrencesOf({ series }: CalendarEvent) {
  const { rows } = await app.pool.query<{ id: string; start: string }>(
    `select id, to_char(starts_at at time zone time_zone, 'YYYY-MM-DD HH24:MI') as start
      from events where series_id = $1 order by slot`,
    [series],
  );
  return rows;
}

/** Days and times of the occurrences that are not canceled. */
async function liveOf(...series: (string | null)[]) {
  const { rows } = await app.pool.query<{ id: string; start: string }>(
    `select id, to_char(coalesce(starts_at at time zone time_zone, first_day), 'MM-DD HH24:MI') as start
      from events where series_id = any($1) and cancelled_at is null order by starts_at, first_day`,
    [series],
  );
  return { ids: rows.map(({ id }) => id), starts: rows.map(({ start }) => start) };
}

async function read(id: string) {
  return (await app.call(calendarRoutes.readEvent, { token: ada.token, params: { id } })).body;
}

function change(id: string, body: EventPatch, scope?: SeriesScope) {
  const query = scope && { scope };
  const asked = { token: ada.token, params: { id }, body };
  return app.call(calendarRoutes.changeEvent, { ...asked, ...(query && { query }) });
}

test('a series neither has nor counts what the clocks skip', async () => {
  // 2:30 AM in New York, where March 14 has none.
  const times = { start: '2038-03-13T07:30:00.000Z', end: '2038-03-13T07:45:00.000Z' };
  const timeZone = 'America/New_York';
  const series = await addEvent(app, ada.token, {
    ...times,
    timeZone,
    recurrence: 'FREQ=DAILY;COUNT=3',
  });
  const starts = (await occurrencesOf(series)).map(({ start }) => start);
  expect(starts).toEqual(['2038-03-13 02:30', '2038-03-15 02:30', '2038-03-16 02:30']);
  const { body } = await change(series.id, { recurrence: 'FREQ=DAILY;COUNT=5' }, 'all');
  expect(body.event.recurrence).toBe('FREQ=DAILY;COUNT=5');
  const longer = (await occurrencesOf(series)).map(({ start }) => start.slice(8, 10));
  expect(longer).toEqual(['13', '15', '16', '17', '18']);
});

describe('a counted series', () => {
  const mondays = {
    start: '2038-03-01T14:00:00.000Z',
    end: '2038-03-01T15:00:00.000Z',
    timeZone: 'UTC',
    recurrence: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4',
  };
  const fortnights = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=3';
  const laterOn = (day: string) => ({ start: `${day}T15:00:00.000Z`, end: `${day}T16:00:00.000Z` });

  test('keeps its occurrences when it is moved after its rule changed', async () => {
    const event = await addEvent(app, ada.token, mondays);
    await change(event.id, { recurrence: fortnights }, 'all');
    const [, second] = (await liveOf(event.series)).ids;
    const { body } = await change(second ?? '', laterOn('2038-03-15'), 'following');
    expect(body.event.recurrence).toBe('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=2');
    expect((await liveOf(body.event.series)).starts).toEqual(['03-15 15:00', '03-29 15:00']);
    expect((await liveOf(event.series)).starts).toEqual(['03-01 14:00']);
  });

  test('keeps its occurrences when it is moved again, and its count', async () => {
    const day = 86_400_000;
    const now = Date.now();
    const at = (days: number, hours: number) =>
      new Date(now + days * day + hours * 3_600_000).toISOString();
    const first = { start: at(-15, 0), end: at(-15, 0), timeZone: 'UTC' };
    const recurrence = 'FREQ=WEEKLY;COUNT=10';
    const { series } = await addEvent(app, ada.token, { ...first, recurrence });
    const [, , , next = '', early = ''] = (await liveOf(series)).ids;
    // Moved alone to where it has ended, it keeps its place.
    await change(early, { start: at(-2, 0), end: at(-2, 0) });
    const starts = (await liveOf(series)).starts;
    expect(starts).toHaveLength(10);
    const later = { start: at(6, 1), end: at(6, 1) };
    const { start, end } = await read(next);
    expect((await change(next, later, 'all')).body.event).toMatchObject({ ...later, recurrence });
    const back = await change(next, { start, end }, 'all');
    expect(back.body.event).toMatchObject({ start, recurrence });
    expect((await liveOf(series)).starts).toEqual(starts);
  });

  test('whose rule is changed and changed back has all its days again, each once', async () => {
    const event = await addEvent(app, ada.token, mondays);
    const [first = '', second = '', third = '', last = ''] = (await liveOf(event.series)).ids;
    await change(second, { title: 'Alone' });
    await change(third, { recurrence: fortnights }, 'all');
    expect((await liveOf(event.series)).starts).toEqual(
      ['03-01', '03-08', '03-15', '03-29'].map((day) => `${day} 14:00`),
    );
    const [alone, lost] = [await read(second), await read(last)];
    for (const left of [alone, lost])
      expect(left).toMatchObject({ series: null, recurrence: null });
    expect(lost.cancelled).toBe(true);
    // Those that the new rule does not have are neither counted nor moved.
    const later = await change(first, laterOn('2038-03-01'), 'all');
    expect(later.body.event.recurrence).toBe(fortnights);
    const starts = ['03-01 15:00', '03-08 14:00', '03-15 15:00', '03-29 15:00'];
    expect((await liveOf(event.series)).starts).toEqual(starts);
    await change(first, { recurrence: mondays.recurrence }, 'all');
    const back = await liveOf(event.series);
    expect(back.starts).toEqual(['03-01 15:00', '03-08 14:00', '03-15 15:00', '03-22 15:00']);
    expect(back.ids.slice(0, 3)).toEqual([first, second, third]);
    expect(await read(second)).toMatchObject({ title: 'Alone', series: event.series });
  });

  test('no longer has an occurrence without a place, which is changed like a single event', async () => {
    const event = await addEvent(app, ada.token, mondays);
    const [, second = ''] = (await liveOf(event.series)).ids;
    await change(event.id, { recurrence: fortnights }, 'all');
    const { body } = await change(second, { cancelled: false, title: 'Kept' }, 'all');
    expect(body.event).toMatchObject({ title: 'Kept', cancelled: false, recurrence: null });
    expect((await read(event.id)).title).toBe(event.title);
    const daily = await change(second, { recurrence: 'FREQ=DAILY;COUNT=2' });
    const { series } = daily.body.event;
    expect((await liveOf(series)).starts).toEqual(['03-08 14:00', '03-09 14:00']);
    await change(second, { ...laterOn('2038-03-08'), title: 'Both' }, 'all');
    expect((await liveOf(series)).starts).toEqual(['03-08 15:00', '03-09 15:00']);
    expect((await liveOf(event.series)).starts).toHaveLength(3);
  });

  test('has one occurrence on the first day of a rule that has no place for its beginning', async () => {
    const event = await addEvent(app, ada.token, {
      ...mondays,
      recurrence: 'FREQ=DAILY;COUNT=3',
    });
    await change(event.id, { recurrence: 'FREQ=WEEKLY;BYDAY=TU;COUNT=2' }, 'all');
    expect((await liveOf(event.series)).starts).toEqual(['03-02 14:00', '03-09 14:00']);
  });
});

test('an endless series whose rule was changed is extended all the same', async () => {
  const recurrence = 'FREQ=DAILY';
  const event = await addEvent(app, ada.token, {
    start: '2038-03-01',
    end: '2038-03-01',
    recurrence,
  });
  await change(event.id, { recurrence: 'FREQ=WEEKLY' }, 'all');
  await extendSeries(app.context, new Date('2038-06-01T00:00:00Z'));
  // The last Monday of two years and a month.
  expect((await liveOf(event.series)).starts.at(-1)).toBe('06-25 00:00');
});

describe('a series that several people change at once', () => {
  const daily = {
    start: '2038-03-01T14:00:00.000Z',
    end: '2038-03-01T15:00:00.000Z',
    recurrence: 'FREQ=DAILY;COUNT=60',
  };

  test.each(['all', 'following', 'this'] as const)('takes every change of %s', async (scope) => {
    const series = await addEvent(app, ada.token, daily);
    const occurrences = await occurrencesOf(series);
    const chosen = occurrences.filter((_, index) => index % 12 === 0).toReversed();
    expect(chosen).toHaveLength(5);
    for (const round of [1, 2, 3]) {
      const replies = await Promise.all(
        chosen.map(({ id }, index) => change(id, { title: `${round}, change ${index}` }, scope)),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    }
  });

  test('takes every move of this and what follows', async () => {
    const series = await addEvent(app, ada.token, daily);
    const occurrences = await occurrencesOf(series);
    const replies = await Promise.all(
      [48, 36, 24, 12, 6].map((index) => {
        const day = occurrences[index]?.start.slice(0, 10);
        const times = { start: `${day}T16:00:00.000Z`, end: `${day}T17:00:00.000Z` };
        return change(occurrences[index]?.id ?? '', times, 'following');
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await occurrencesOf(series)).toHaveLength(6);
  });

  test('takes a change of an event that begins to repeat meanwhile', async () => {
    for (const day of ['2038-05-03', '2038-05-04', '2038-05-05']) {
      const times = { start: `${day}T14:00:00.000Z`, end: `${day}T15:00:00.000Z` };
      const event = await addEvent(app, ada.token, times);
      const replies = await Promise.all([
        change(event.id, { recurrence: 'FREQ=DAILY;COUNT=30' }),
        ...[1, 2, 3, 4].map((n) => change(event.id, { title: `Change ${n}` }, 'all')),
      ]);
      expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    }
  });
});
