import { expect, test } from 'vitest';
import { type Case, caseRoutes } from '@matterdesk/contract/cases.ts';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import { addTask, openCase, registerAdmin, registerUser } from '../../testing/factories.ts';

const { app, admin, user } = suite({ admin: registerAdmin, user: registerUser });
const overview = async (token: string, today?: string) =>
  (await app.call(dashboardRoutes.readOverview, { token, ...(today && { query: { today } }) }))
    .body;
const brief = ({ id, caseName, caseNo, status, SOL }: Case) => ({
  id,
  caseName,
  caseNo,
  status,
  SOL,
});

const archive = (id: string) =>
  app.call(caseRoutes.changeCase, {
    token: admin.token,
    params: { id },
    body: { statusType: 'Archive' },
  });

test('the dashboard refuses requests without a session', async () => {
  expect(await app.call(dashboardRoutes.readOverview)).toMatchObject({
    status: 400,
    code: 'invalidToken',
    message: 'Unauthorized token provided',
  });
});

test('the dashboard is empty for an empty firm', async () => {
  expect(await overview(user.token)).toEqual({
    counts: { activeCases: 0, archivedCases: 0, myOpenTasks: 0, deadlines: 0 },
    digest: { items: 0, deadlines: 0, tasks: 0, waiting: 0, noNextDate: 0 },
    myTasks: [],
    tasksOfDay: [],
    limitations: [],
    limitationsTotal: 0,
    recentCases: [],
  });
});

test('the dashboard lists the user’s tasks in active cases by due time', async () => {
  const [one, other] = [await openCase(app, admin.token), await openCase(app, admin.token)];
  const add = (own: { case: string; assignedTo: string; endTime: string }) =>
    addTask(app, admin.token, { startTime: '2025-01-01T00:00:00.000Z', ...own });
  const mine = { assignedTo: user.id };
  const overdue = await add({ ...mine, case: one.id, endTime: '2025-05-02T00:00:00.000Z' });
  const soon = await add({ ...mine, case: other.id, endTime: '2025-05-01T00:00:00.000Z' });
  const deleted = await add({ ...mine, case: one.id, endTime: '2025-04-01T00:00:00.000Z' });
  await add({ case: one.id, assignedTo: admin.id, endTime: '2025-03-01T00:00:00.000Z' });
  await app.call(taskRoutes.deleteTask, { token: admin.token, params: { id: deleted.id } });
  const shown = [
    { task: soon, of: other },
    { task: overdue, of: one },
  ].map(({ task: { id, name, endTime, type, assignedTo }, of }) => ({
    id,
    name,
    endTime,
    type,
    assignedTo,
    case: { id: of.id, caseName: of.caseName },
  }));
  const before = await overview(user.token);
  expect(before.myTasks).toEqual(shown);
  expect(before.counts).toEqual({ activeCases: 2, archivedCases: 0, myOpenTasks: 2, deadlines: 0 });
  await archive(other.id);
  const after = await overview(user.token);
  expect(after.myTasks).toEqual(shown.slice(1));
  expect(after.counts).toEqual({ activeCases: 1, archivedCases: 1, myOpenTasks: 1, deadlines: 0 });
});

test('the dashboard lists tasks that touch the reader’s day in any time zone, starting or ending ones first', async () => {
  const { id } = await openCase(app, admin.token);
  const person = await registerUser(app);
  const add = (name: string, startTime: string, endTime: string) =>
    addTask(app, admin.token, { name, startTime, endTime, case: id, assignedTo: person.id });
  await add('over', '2031-05-01T00:00:00.000Z', '2031-05-09T09:59:00.000Z');
  await add('runs', '2031-05-01T00:00:00.000Z', '2031-06-01T00:00:00.000Z');
  // May 10 begins in Kiribati and ends on Baker Island.
  await add('starts', '2031-05-11T11:59:00.000Z', '2031-06-02T00:00:00.000Z');
  await add('ends', '2031-05-01T00:00:00.000Z', '2031-05-09T10:00:00.000Z');
  await add('to come', '2031-05-11T12:00:00.000Z', '2031-05-12T00:00:00.000Z');
  await addTask(app, admin.token, { case: id, assignedTo: admin.id });
  const { tasksOfDay } = await overview(person.token, '2031-05-10');
  expect(tasksOfDay.map(({ name }) => name)).toEqual(['ends', 'starts', 'runs']);
  expect(tasksOfDay[0]).toMatchObject({ case: { id }, startTime: '2031-05-01T00:00:00.000Z' });
});

test('the dashboard lists active cases whose limitation falls within ninety days of the reader’s day', async () => {
  const days = ['2030-01-01', '2029-12-31', '2030-04-01', '2030-04-02', '2030-02-15', '2030-02-14'];
  const cases = new Map<string, Case>();
  for (const SOL of days) cases.set(SOL, await openCase(app, admin.token, { SOL }));
  await archive(cases.get('2030-02-14')?.id ?? '');
  const { limitations, limitationsTotal } = await overview(user.token, '2030-01-01');
  expect(limitations.map(({ SOL }) => SOL)).toEqual(['2030-01-01', '2030-02-15', '2030-04-01']);
  expect(limitations).toEqual(limitations.map(({ SOL }) => brief(cases.get(SOL) as Case)));
  expect(limitationsTotal).toBe(3);
});

test('the dashboard lists the six most recently opened active cases', async () => {
  const opened: Case[] = [];
  for (let n = 0; n < 8; n += 1) opened.push(await openCase(app, admin.token));
  await archive(opened[7]?.id ?? '');
  const { recentCases } = await overview(user.token);
  expect(recentCases).toEqual(opened.slice(1, 7).toReversed().map(brief));
});

test('the dashboard lists fifty and reports the total', { timeout: 60_000 }, async () => {
  const { id } = await openCase(app, admin.token, { SOL: '2040-06-15' });
  const person = await registerUser(app);
  await addTask(app, admin.token, { case: id, assignedTo: person.id });
  await app.pool.query(
    `insert into cases (case_name, case_no, case_no_key, status_type, status, type, judge,
       date_of_opening, managing_attorney, doi, sol, days_open, client_name, client_phone_number,
       client_email, client_address, counsel_organization, counsel_name, counsel_phone_number,
       counsel_email, counsel_address, search_text)
     select case_name, 'no' || n, 'no' || n, status_type, status, type, judge, date_of_opening,
       managing_attorney, doi, sol, days_open, client_name, client_phone_number, client_email,
       client_address, counsel_organization, counsel_name, counsel_phone_number, counsel_email,
       counsel_address, search_text
     from cases, generate_series(1, 10100) n where id = $1`,
    [id],
  );
  await app.pool.query(
    `insert into tasks (case_id, name, description, start_time, end_time, type, assigned_to, created_by)
     select case_id, name, '', start_time, end_time, type, assigned_to, created_by
     from tasks, generate_series(1, 59) where case_id = $1`,
    [id],
  );
  const shown = await overview(person.token, '2040-06-01');
  expect(shown.limitations).toHaveLength(50);
  expect(shown.limitationsTotal).toBe(10_101);
  expect(shown.myTasks).toHaveLength(50);
  expect(shown.counts.myOpenTasks).toBe(60);
  expect(shown.counts.activeCases).toBeGreaterThan(10_100);
});

test('the dashboard accepts any calendar day and nothing else', async () => {
  for (const today of ['0001-01-01', '9999-12-31', '2024-02-29'])
    expect((await overview(user.token, today)).limitations).toEqual([]);
  for (const today of ['2025-02-29', 'today', '10000-01-01'])
    expect(
      await app.call(dashboardRoutes.readOverview, { token: user.token, query: { today } }),
    ).toMatchObject({ status: 400, message: 'Today must be a date', body: null });
});
