import { describe, expect, test } from 'vitest';
import {
  calendarRoutes,
  type CalendarEvent,
  type EventPatch,
  type Scope,
} from '@matterdesk/contract/calendar.ts';
import { addEvent, registerUser } from '../../testing/factories.ts';
import { suite } from '../../testing/suite.ts';

const { app, ada } = suite({ ada: registerUser });

async function occurrencesOf({ series }: CalendarEvent) {
  const { rows } = await app.pool.query<{ id: string; start: string }>(
    `select id, to_char(starts_at at time zone time_zone, 'YYYY-MM-DD HH24:MI') as start
      from events where series_id = $1 order by slot`,
    [series],
  );
  return rows;
}

function change(id: string, body: EventPatch, scope?: Scope) {
  const query = scope && { scope };
  const asked = { token: ada.token, params: { id }, body };
  return app.call(calendarRoutes.changeEvent, { ...asked, ...(query && { query }) });
}

test('a series neither has nor counts what the clocks skip', async () => {
  // 2:30 AM in New York, where March 14 has none.
  const times = { start: '2027-03-13T07:30:00.000Z', end: '2027-03-13T07:45:00.000Z' };
  const timeZone = 'America/New_York';
  const series = await addEvent(app, ada.token, {
    ...times,
    timeZone,
    recurrence: 'FREQ=DAILY;COUNT=3',
  });
  const starts = (await occurrencesOf(series)).map(({ start }) => start);
  expect(starts).toEqual(['2027-03-13 02:30', '2027-03-15 02:30', '2027-03-16 02:30']);
  const { body } = await change(series.id, { recurrence: 'FREQ=DAILY;COUNT=5' }, 'all');
  expect(body.event.recurrence).toBe('FREQ=DAILY;COUNT=5');
  const longer = (await occurrencesOf(series)).map(({ start }) => start.slice(8, 10));
  expect(longer).toEqual(['13', '15', '16', '17', '18']);
});

describe('a series that several people change at once', () => {
  const daily = {
    start: '2027-03-01T14:00:00.000Z',
    end: '2027-03-01T15:00:00.000Z',
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
    for (const day of ['2027-05-03', '2027-05-04', '2027-05-05']) {
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
