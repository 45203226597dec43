import { afterEach, beforeEach, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes, NewCaseSchema, activityRoutes } from '@matterdesk/contract/cases.ts';
import { dashboardRoutes } from '@matterdesk/contract/dashboard.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { startTestApp, type TestApp } from '@matterdesk/server/testing/app.ts';
import { registerUser, signIn } from '@matterdesk/server/testing/factories.ts';
import { seedFirm } from './firm.ts';

const now = new Date('2026-11-20T12:00:00Z');
const PASSWORD = 'of the sample firm';
const options = { cases: 120, users: 8, tasks: 300, archived: 3, seed: 1, password: PASSWORD };
const silent = { now, say: () => undefined };
const ADMIN = 'ama.owusu@hartwell-osei.example';

let app: TestApp;

beforeEach(async () => {
  app = await startTestApp();
});

afterEach(() => app.close());

async function readFirm() {
  const { token } = await signIn(app, ADMIN, PASSWORD);
  const { cases } = (await app.call(caseRoutes.listCases, { token })).body;
  const users = (await app.call(accountRoutes.listUsers, { token })).body;
  return { token, cases, users };
}

test('generates a firm that could have been entered by hand', async () => {
  await seedFirm(app.db, { ...silent, options });
  const { token, cases, users } = await readFirm();
  expect(cases).toHaveLength(120);
  expect(users).toHaveLength(8);
  for (const { id: _, createdAt, updatedAt, download, fileCount, incomplete, ...fields } of cases) {
    const assignedUsers = fields.assignedUsers.map((person) => person.id);
    expect(assignedUsers.length).toBeGreaterThan(0);
    expect(NewCaseSchema.safeParse({ ...fields, assignedUsers }).error).toBeUndefined();
    expect(fields.caseNo).toMatch(/^20\d\d-(CV|PR|MM)-\d{5}$/);
    expect(fields.dateOfOpening <= '2026-11-20').toBe(true);
    expect([createdAt <= updatedAt, download, fileCount, incomplete]).toEqual([true, [], 0, []]);
  }
  const archived = cases.filter((one) => one.statusType === 'Archive');
  expect(archived.length).toBeGreaterThan(60);
  expect(cases.some((one) => /[^\x20-\x7e\n]/.test(JSON.stringify(one)))).toBe(true);
  const query = { today: '2026-11-20' };
  const overview = (await app.call(dashboardRoutes.readOverview, { token, query })).body;
  expect(overview.limitationsTotal).toBeGreaterThan(0);
  expect(overview.myTasks.length).toBeGreaterThan(0);
});

test('the sample firm puts all tasks on the boards, with their history in the audit log', async () => {
  await seedFirm(app.db, { ...silent, options });
  const { token, cases } = await readFirm();
  let tasks = 0;
  let moves = 0;
  for (const { id, statusType } of cases) {
    const params = { id };
    const board = (await app.call(taskRoutes.readBoard, { token, params })).body.tasks;
    const items = Object.values(board.columns).flatMap((column) => column.items);
    tasks += items.length;
    const query = { limit: 200 };
    const { activity } = (await app.call(activityRoutes.readActivity, { token, params, query }))
      .body;
    const times = activity.map((entry) => entry.at);
    expect(times).toEqual(times.toSorted().toReversed());
    const actions = activity.map((entry) => `${entry.entity} ${entry.action}`);
    expect(actions.at(-1)).toBe('case created');
    expect(actions.includes('case archived')).toBe(statusType === 'Archive');
    moves += actions.filter((action) => action === 'task moved').length;
    expect(items.filter((item) => item.type !== 'intake').length).toBe(
      actions.filter((action) => action === 'task moved').length,
    );
  }
  expect(tasks).toBe(300);
  expect(moves).toBeGreaterThan(100);
});

test('generates the same firm from the same seed, and another one from another', async () => {
  const other = await startTestApp();
  const third = await startTestApp();
  try {
    await seedFirm(app.db, { ...silent, options });
    await seedFirm(other.db, { ...silent, options });
    await seedFirm(third.db, { ...silent, options: { ...options, seed: 2 } });
    const texts = async (one: TestApp) =>
      one.db.selectFrom('cases').select('search_text').orderBy('serial').execute();
    expect(await texts(other)).toEqual(await texts(app));
    expect(await texts(third)).not.toEqual(await texts(app));
  } finally {
    await other.close();
    await third.close();
  }
});

test('the sample firm adds to existing data without conflicts', async () => {
  await seedFirm(app.db, { ...silent, options });
  await seedFirm(app.db, { ...silent, options });
  await seedFirm(app.db, { ...silent, options: { ...options, users: 0, tasks: 0 } });
  const { cases, users } = await readFirm();
  expect(cases).toHaveLength(360);
  expect(users).toHaveLength(16);
  expect(new Set(cases.map((one) => one.caseName)).size).toBeGreaterThan(300);
});

test('the sample firm refuses an installation with accounts that it did not make, and leaves it alone', async () => {
  const few = { ...options, cases: 1, users: 2, tasks: 1 };
  const made = await seedFirm(app.db, { ...silent, options: few });
  expect(made.map(({ email }) => email)).toContain(ADMIN);
  await registerUser(app);
  const refused = seedFirm(app.db, { ...silent, options: few });
  await expect(refused).rejects.toThrow('accounts that npm run seed did not make');
  expect((await readFirm()).users).toHaveLength(3);
});

test('the sample firm gives each run’s people a password of its own, and leaves those of before theirs', async () => {
  const few = { ...options, cases: 1, users: 2, tasks: 1 };
  await seedFirm(app.db, { ...silent, options: few });
  const password = 'another password';
  const [admin] = await seedFirm(app.db, { ...silent, options: { ...few, password } });
  expect((await signIn(app, admin?.email ?? '', password)).role).toBe('admin');
  expect((await signIn(app, ADMIN, PASSWORD)).role).toBe('admin');
});

test('the sample firm leaves nothing behind when it fails', async () => {
  const refused = seedFirm(app.db, { ...silent, options: { ...options, users: 0 } });
  await expect(refused).rejects.toThrow('--users takes at least 1');
  expect(await app.db.selectFrom('cases').select('id').execute()).toEqual([]);
});
