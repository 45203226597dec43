import { expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { startTestApp, suite } from '../../testing/app.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  addDeadline,
  addEvent,
  addTask,
  inDays,
  openCase,
  registerAdmin,
} from '../../testing/factories.ts';

const { app, admin } = suite({ admin: registerAdmin }, { jobs: false });
type Query = {
  limit?: number;
  cursor?: string;
  ahead?: 'limitations';
  owner?: string;
  case?: string;
};
const idleCases = async (query: Query = {}) =>
  (await app.call(deadlineRoutes.listIdleCases, { token: admin.token, query })).body;
const isIdle = async (id: string) =>
  (await idleCases({ limit: 200 })).cases.some((found) => found.id === id);
const at = (days: number) => `${inDays(days)}T12:00:00.000Z`;
/** Cases of which something else is kept than there is. */
const differing = async () => {
  const { rows } = await app.pool.query<{ name: string }>(`
    select c.case_name as name from base.cases c left join base.case_ahead a on a.case_id = c.id
    where a.case_id is null or a.latest_at <> base.latest_of_case(c.id)::timestamptz(3)
      or a.is_active <> (c.status_type = 'Active') or a.access <> c.access`);
  return rows;
};
const changeCase = (id: string, statusType: 'Active' | 'Archive') =>
  app.call(caseRoutes.changeCase, { token: admin.token, params: { id }, body: { statusType } });
const changeEvent = (id: string, body: object, scope: 'this' | 'all' = 'this') =>
  app.call(calendarRoutes.changeEvent, {
    token: admin.token,
    params: { id },
    query: { scope },
    body,
  });

test('a matter is idle from the end of the last thing that belongs to it, however it ends', async () => {
  const [one, other] = [await openCase(app, admin.token), await openCase(app, admin.token)];
  const changes: [string, () => Promise<unknown>, boolean, boolean][] = [];
  const becomes = (
    what: string,
    act: () => Promise<unknown>,
    isOneIdle: boolean,
    isOtherIdle = true,
  ) => changes.push([what, act, isOneIdle, isOtherIdle]);
  let task = '';
  let event = '';
  let series = '';
  let deadline = '';
  const times = { startTime: at(1), endTime: at(2) };
  const changeTask = (body: object) =>
    app.call(taskRoutes.changeTask, { token: admin.token, params: { id: task }, body });
  const close = (action: 'complete' | 'reopen') =>
    app.call(deadlineRoutes.proposeChange, {
      token: admin.token,
      params: { id: deadline },
      body: { action, reason: 'Served', time: null, proof: '' },
    });
  becomes('opened', () => Promise.resolve(), true);
  becomes(
    'task added',
    async () => {
      task = (await addTask(app, admin.token, { case: one.id, assignedTo: admin.id, ...times })).id;
    },
    false,
  );
  becomes('task moved on', () => changeTask({ type: 'adr' }), false);
  becomes('task earlier', () => changeTask({ startTime: at(-3), endTime: at(-2) }), true);
  becomes('task later', () => changeTask({ endTime: at(3) }), false);
  becomes('task done', () => changeTask({ done: true }), true);
  becomes('task not done', () => changeTask({ done: false }), false);
  becomes('task elsewhere', () => changeTask({ case: other.id }), true, false);
  becomes(
    'task deleted',
    () => app.call(taskRoutes.deleteTask, { token: admin.token, params: { id: task } }),
    true,
  );
  becomes(
    'event added',
    async () => {
      event = (await addEvent(app, admin.token, { case: one.id, start: at(4), end: at(5) })).id;
    },
    false,
  );
  becomes('event moved', () => changeEvent(event, { start: at(-4), end: at(-3) }), true);
  becomes('event today', () => changeEvent(event, { start: inDays(0), end: inDays(0) }), false);
  becomes('event canceled', () => changeEvent(event, { cancelled: true }), true);
  becomes(
    'event restored elsewhere',
    () => changeEvent(event, { cancelled: false, case: other.id }),
    true,
    false,
  );
  becomes('event of the firm', () => changeEvent(event, { case: null }), true);
  becomes(
    'series added',
    async () => {
      const recurrence = 'FREQ=WEEKLY;COUNT=6';
      const start = { start: inDays(-7), end: inDays(-7) };
      series = (await addEvent(app, admin.token, { case: one.id, ...start, recurrence })).id;
    },
    false,
  );
  becomes('series canceled', () => changeEvent(series, { cancelled: true }, 'all'), true);
  becomes(
    'deadline added',
    async () => {
      const own = { case: one.id, owner: admin.id, date: inDays(9) };
      deadline = (await addDeadline(app, admin.token, own)).id;
    },
    false,
  );
  becomes('deadline done', () => close('complete'), true);
  becomes('deadline reopened', () => close('reopen'), false);
  becomes('archived', () => changeCase(one.id, 'Archive'), false);
  becomes('completed while archived', () => close('complete'), false);
  becomes('active again', () => changeCase(one.id, 'Active'), true);

  for (const [what, act, isOneIdle, isOtherIdle] of changes) {
    await act();
    const found = [await isIdle(one.id), await isIdle(other.id)];
    expect([what, ...found, await differing()]).toEqual([what, isOneIdle, isOtherIdle, []]);
  }
});

test('a limitation ahead is a next date for those who ask, and the list is of an owner or a matter', async () => {
  const assignedUsers = [admin.id];
  const ahead = await openCase(app, admin.token, { SOL: inDays(40), assignedUsers });
  const past = await openCase(app, admin.token, { SOL: inDays(-40) });
  const found = async (query: Query) => {
    const { cases, total } = await idleCases({ limit: 200, ...query });
    expect(total).toBe(cases.length);
    return [ahead, past].map((matter) => cases.some(({ id }) => id === matter.id));
  };
  expect(await found({})).toEqual([true, true]);
  expect(await found({ ahead: 'limitations' })).toEqual([false, true]);
  expect(await found({ owner: admin.id })).toEqual([true, false]);
  expect(await found({ case: past.id })).toEqual([false, true]);
});

test('those that have waited the longest come first, in pages, and are counted', async () => {
  const [today, never, before] = [
    await openCase(app, admin.token),
    await openCase(app, admin.token),
    await openCase(app, admin.token),
  ];
  await addEvent(app, admin.token, { case: today.id, start: at(-2), end: at(-2) });
  await addEvent(app, admin.token, { case: before.id, start: at(-9), end: at(-8) });
  const ids: string[] = [];
  let total = 0;
  let cursor: string | null | undefined;
  do {
    const page = await idleCases({ limit: 1, ...(cursor && { cursor }) });
    ids.push(...page.cases.map(({ id }) => id));
    [cursor, total] = [page.nextCursor, page.total];
  } while (cursor !== null);
  expect(ids.filter((id) => [today.id, never.id, before.id].includes(id))).toEqual([
    never.id,
    before.id,
    today.id,
  ]);
  expect(total).toBe(ids.length);
});

test('cases from before are filled in beside the running server, from where it was interrupted', async () => {
  const matter = await openCase(app, admin.token);
  await addTask(app, admin.token, { case: matter.id, assignedTo: admin.id, endTime: at(1) });
  const { rows } = await app.pool.query<{ id: string }>(
    'delete from base.case_ahead returning case_id as id',
  );
  // A write of such a case does not wait for the rest, and one piece has been done before.
  await addEvent(app, admin.token, { case: rows[0]?.id ?? '', start: at(3), end: at(3) });
  await app.pool.query('select fill_case_ahead(0, 2)');
  expect(await differing()).toHaveLength(rows.length - 3);
  const other = await startTestApp({ database: app.database, rounds: true });
  await eventually(async () => expect(await differing()).toEqual([]));
  await other.close();
  expect(await isIdle(matter.id)).toBe(false);
});
