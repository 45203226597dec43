import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { calendarRoutes, ITEMS_MAX } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { openDatabase, openPool } from '../../db/connect.ts';
import { suite } from '../../testing/app.ts';
import {
  addDeadline,
  addEvent,
  addTask,
  newEvent,
  openCase,
  registerAdmin,
} from '../../testing/factories.ts';
import { readCalendarGrid } from './service.items.ts';

const { app, admin } = suite({ admin: registerAdmin });

test('a calendar that tasks fill has what begins before the last of them, and nothing later', async () => {
  const { token, id } = admin;
  const matter = await openCase(app, token);
  // One begins every minute from midnight of February 27, UTC; each is open until May.
  const first = { startTime: '2031-02-27T00:00:00.000Z', endTime: '2031-05-01T00:00:00.000Z' };
  const { id: task } = await addTask(app, token, { case: matter.id, assignedTo: id, ...first });
  await app.pool.query(
    `insert into tasks (case_id, name, description, start_time, end_time, type, assigned_to, created_by)
     select case_id, name, description, start_time + n * interval '1 minute', end_time, type, assigned_to, created_by
     from tasks, generate_series(1, $2::int) n where id = $1`,
    [task, ITEMS_MAX],
  );
  // The last of them begins on March 2 at 11:20, UTC.
  const at = (start: string, end = start) => newEvent({ start, end, title: `At ${start}` });
  for (const start of [
    '2031-03-02T11:10:30.000Z',
    '2031-03-02T11:21:00.000Z',
    '2031-03-20T10:00:00.000Z',
  ])
    await addEvent(app, token, at(start));
  await addEvent(app, token, at('2031-02-20T10:00:00.000Z', '2031-04-20T10:00:00.000Z'));
  const days = { allDay: true, timeZone: 'UTC' };
  await addEvent(app, token, { ...at('2031-03-02'), ...days });
  await addEvent(app, token, { ...at('2031-03-03'), ...days });
  for (const date of ['2031-03-01', '2031-03-03'])
    await addDeadline(app, token, { title: `Due ${date}`, case: matter.id, owner: id, date });

  const query = { from: '2031-03-01', to: '2031-04-11', timeZone: 'UTC' };
  const { body } = await app.call(calendarRoutes.readCalendar, { token, query });
  const { items, isCut } = body;
  expect([items.length, isCut]).toEqual([ITEMS_MAX, true]);
  expect(items.filter(({ type }) => type !== 'task').map(({ title }) => title)).toEqual([
    'At 2031-02-20T10:00:00.000Z',
    'Due 2031-03-01',
    'At 2031-03-02',
    'At 2031-03-02T11:10:30.000Z',
  ]);

  // Nothing is asked for that begins weeks later, but tasks.
  const statements: CompiledQuery[] = [];
  const pool = openPool(app.database.connection, () => undefined);
  const db = openDatabase(pool, { onStatement: (statement) => statements.push(statement) });
  const grid = await readCalendarGrid({ ...app.context, db }, admin, query);
  await pool.end();
  expect(grid.items.id).toEqual(items.map((item) => item.id));
  const end = new Date('2031-04-12T00:00:00.000Z').getTime();
  const toTheEnd = statements.filter(({ parameters }) =>
    parameters.some((one) => one === query.to || (one instanceof Date && one.getTime() === end)),
  );
  expect(
    toTheEnd.map(({ sql }) => /from (\w+)/.exec(sql.split('select id').at(-1) ?? '')?.[1]),
  ).toEqual(['tasks']);
});

test('a calendar names the matters of its tasks without looking them up, and those of the rest', async () => {
  const { token, id } = admin;
  const [tasked, other] = [await openCase(app, token), await openCase(app, token)];
  const times = { startTime: '2032-03-01T09:00:00.000Z', endTime: '2032-03-01T10:00:00.000Z' };
  await addTask(app, token, { case: tasked.id, assignedTo: id, ...times });
  await addDeadline(app, token, { case: other.id, owner: id, date: '2032-03-02' });
  await app.call(caseRoutes.changeCase, {
    token,
    params: { id: tasked.id },
    body: { caseName: 'Renamed since' },
  });
  const statements: CompiledQuery[] = [];
  const pool = openPool(app.database.connection, () => undefined);
  const db = openDatabase(pool, { onStatement: (statement) => statements.push(statement) });
  const query = { from: '2032-03-01', to: '2032-03-02', timeZone: 'UTC' };
  const { cases } = await readCalendarGrid({ ...app.context, db }, admin, query);
  await pool.end();
  expect(cases).toEqual([
    [tasked.id, 'Renamed since'],
    [other.id, other.caseName],
  ]);
  const texts = statements.flatMap(({ parameters }) => parameters.map(String));
  const lookedUp = texts.filter((text) => text.includes(tasked.id) || text.includes(other.id));
  expect(lookedUp).toEqual([other.id]);
});

test('a search finds what belongs to matters with a word, be they few or hundreds', async () => {
  const { token, id } = admin;
  const matter = await openCase(app, token, { caseName: 'Quixley v. Zorn' });
  const times = { startTime: '2033-03-01T09:00:00.000Z', endTime: '2033-03-01T10:00:00.000Z' };
  await addTask(app, token, { case: matter.id, assignedTo: id, name: 'Draft', ...times });
  await addEvent(
    app,
    token,
    newEvent({ case: matter.id, start: times.startTime, end: times.endTime }),
  );
  await addDeadline(app, token, { case: matter.id, owner: id, date: '2033-03-01' });
  await addTask(app, token, { case: (await openCase(app, token)).id, assignedTo: id, ...times });
  const found = async (search: string) => {
    const query = { from: '2033-03-01', to: '2033-03-01', timeZone: 'UTC', search };
    const { body } = await app.call(calendarRoutes.readCalendar, { token, query });
    return body.items.map(({ type }) => type).toSorted();
  };
  const all = ['deadline', 'event', 'task'];
  expect([
    await found('quixley'),
    await found('draft zorn'),
    await found('quixley nothing'),
  ]).toEqual([all, ['task'], []]);
  await app.pool.query(
    `insert into base.cases overriding system value
      select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'case_no_key', 'q' || n,
        'serial', c.serial + 1000 + n))).* from base.cases c, generate_series(1, 300) n where c.id = $1`,
    [matter.id],
  );
  expect([
    await found('quixley'),
    await found('draft zorn'),
    await found('quixley nothing'),
  ]).toEqual([all, ['task'], []]);
});
