import { beforeAll, expect, test } from 'vitest';
import { type Case, caseRoutes, activityRoutes } from '@matterdesk/contract/cases.ts';
import { taskListRoutes } from '@matterdesk/contract/task-lists.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import { addTask, openCase, registerAdmin, registerUser } from '../../testing/factories.ts';

const timeZone = 'Pacific/Kiritimati';
const HOUR = 3_600_000;

const { app, admin, user } = suite({ admin: registerAdmin, user: registerUser });
let matter: Case;

beforeAll(async () => {
  matter = await openCase(app, admin.token, { caseName: 'Abara v. Northline', caseNo: 'MD-77' });
});

/** A task that ends that many milliseconds from now. */
const due = (name: string, after: number, more: object = {}) => {
  const endTime = new Date(Date.now() + after).toISOString();
  const startTime = new Date(Date.now() - 90 * 24 * HOUR).toISOString();
  const own = { case: matter.id, assignedTo: user.id, ...more };
  return addTask(app, admin.token, { ...own, name, startTime, endTime });
};
const ask = (query: object, token = user.token) =>
  app.call(taskListRoutes.listTasks, { token, query: { timeZone, ...query } });
const namesOf = async (query: object) => (await ask(query)).body.tasks.map(({ name }) => name);
const setDone = (id: string, done: boolean, token = user.token) =>
  app.call(taskRoutes.changeTask, { token, params: { id }, body: { done } });

test('my tasks lists tasks by when they are due in the reader’s days, and counts them', async () => {
  // The reader's day may end at any moment, so what is due today lies between now and its end.
  await due('Next month', 31 * 24 * HOUR);
  await due('In three days', 72 * HOUR);
  await due('Yesterday', -24 * HOUR);
  await due('Of another user', -HOUR, { assignedTo: admin.id });
  const first = await due('Served', 48 * HOUR);
  expect(await namesOf({ assignedTo: 'me', due: 'late' })).toEqual(['Yesterday']);
  expect(await namesOf({ assignedTo: 'me', due: 'week' })).toEqual(['Served', 'In three days']);
  expect(await namesOf({ assignedTo: user.id, due: 'later' })).toEqual(['Next month']);
  const { body } = await ask({ assignedTo: 'me' });
  expect(body.counts).toEqual({ late: 1, today: 0, week: 2, later: 1 });
  expect(body).toMatchObject({ total: 4, nextCursor: null });
  expect(body.tasks[1]).toEqual({
    ...first,
    updatedAt: first.updatedAt,
    caseName: 'Abara v. Northline',
    caseNo: 'MD-77',
  });
  expect(await namesOf({ due: 'late' })).toEqual(['Yesterday', 'Of another user']);
  expect(await namesOf({ assignedTo: 'unknown' })).toEqual([]);
});

test('my tasks marks a task as done for every user, once, and takes it back', async () => {
  const { id } = await due('File the motion', 72 * HOUR);
  const { body: done } = await setDone(id, true);
  expect(done.doneAt).toBe(done.updatedAt);
  expect((await setDone(id, true)).body.doneAt).toBe(done.doneAt);
  expect(await namesOf({ assignedTo: 'me' })).not.toContain('File the motion');
  expect(await namesOf({ assignedTo: 'me', due: 'done' })).toEqual(['File the motion']);
  expect((await ask({ search: 'file the motion', due: 'done' })).body.total).toBe(1);
  const board = await app.call(taskRoutes.readBoard, {
    token: user.token,
    params: { id: matter.id },
  });
  expect(board.body.tasks.columns.intake.items.find((task) => task.id === id)?.doneAt).toBe(
    done.doneAt,
  );
  expect((await setDone(id, false)).body.doneAt).toBeNull();
  const { body } = await app.call(activityRoutes.readActivity, {
    token: user.token,
    params: { id: matter.id },
  });
  expect(body.activity.slice(0, 3).map(({ action }) => action)).toEqual([
    'reopened',
    'updated',
    'completed',
  ]);
  const both = { token: user.token, params: { id }, body: { done: true, type: 'adr' } } as const;
  expect((await app.call(taskRoutes.changeTask, both)).status).toBe(403);
  expect(await setDone(id, 'yes' as never)).toMatchObject({
    status: 400,
    message: 'Done must be true or false',
  });
});

test('my tasks finds every word of a search, in any order, in the task or its case', async () => {
  await due('Draft Reply to Counterclaim', 200 * HOUR, { description: 'Über the answer' });
  expect(await namesOf({ search: 'counterclaim REPLY' })).toEqual(['Draft Reply to Counterclaim']);
  expect(await namesOf({ search: 'northline über md-77' })).toEqual([
    'Draft Reply to Counterclaim',
  ]);
  expect(await namesOf({ search: '"reply to"' })).toEqual(['Draft Reply to Counterclaim']);
  expect(await namesOf({ search: '"to reply"' })).toEqual([]);
  expect(await namesOf({ search: '%' })).toEqual([]);
  await due('Lodge the files', 210 * HOUR, { description: 'At the oﬃce in the Große Straße' });
  for (const search of ['oﬃce', 'OFFICE große', 'STRASSE'])
    expect(await namesOf({ search })).toEqual(['Lodge the files']);
});

test('pages by the end, and leaves out archived cases', async () => {
  const other = await openCase(app, admin.token);
  const last = { case: other.id };
  for (const n of [3, 1, 2]) await due(`Page ${n}`, (400 + n) * 24 * HOUR, last);
  const first = (await ask({ search: 'page', limit: 2 })).body;
  expect(first.tasks.map(({ name }) => name)).toEqual(['Page 1', 'Page 2']);
  expect(first).toMatchObject({ total: 3, counts: { late: 0, today: 0, week: 0, later: 3 } });
  const ofDue = async (due: string) => (await ask({ search: 'page', due })).body.total;
  expect([await ofDue('later'), await ofDue('late'), await ofDue('done')]).toEqual([3, 0, 0]);
  const rest = await ask({ search: 'page', limit: 2, cursor: first.nextCursor });
  expect(rest.body.tasks.map(({ name }) => name)).toEqual(['Page 3']);
  expect(rest.body.nextCursor).toBeNull();
  const archived = {
    token: admin.token,
    params: { id: other.id },
    body: { statusType: 'Archive' },
  };
  await app.call(caseRoutes.changeCase, archived);
  expect(await namesOf({ search: 'page' })).toEqual([]);
});

test.each([
  [{ due: 'soon' }, 'Due must be one of late, today, week, later, done'],
  [{ timeZone: 'Nowhere/City' }, 'Time zone is unknown'],
  [{ cursor: 'invented' }, 'Invalid cursor'],
])('my tasks refuses %o', async (query, message) => {
  expect(await ask(query)).toMatchObject({ status: 400, message, body: null });
});
