import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import type { Case } from '@matterdesk/contract/cases.ts';
import { columnIds } from '@matterdesk/contract/columns.ts';
import type { Route } from '@matterdesk/contract/route.ts';
import { type Task, taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import { NOT_PERMITTED } from '../../testing/client.ts';
import {
  addTask,
  newTask,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app, admin, clerk, user } = suite({
  admin: registerAdmin,
  clerk: (to) => registerWith(to, { editTasks: true }),
  user: registerUser,
});

let matter: Case;

beforeAll(async () => {
  matter = await openCase(app, admin.token);
});

const open = () => openCase(app, admin.token);
const add = (body: unknown, token = clerk.token) => app.call(taskRoutes.addTask, { token, body });
const change = (id: string, body: unknown, token = clerk.token) =>
  app.call(taskRoutes.changeTask, { token, params: { id }, body });
const remove = (id: string, token = clerk.token) =>
  app.call(taskRoutes.deleteTask, { token, params: { id } });
const board = async (id: string) =>
  (await app.call(taskRoutes.readBoard, { token: user.token, params: { id } })).body.tasks;
const addOne = (caseId = matter.id) =>
  addTask(app, clerk.token, { case: caseId, assignedTo: user.id });
const nameOf = ({ id, firstName, lastName }: SignedInPerson) => ({ id, firstName, lastName });

const unauthorized = {
  status: 400,
  code: 'invalidToken',
  message: 'Unauthorized token provided',
  body: null,
};

describe('access to tasks', () => {
  const routes: [string, Route][] = Object.entries(taskRoutes);
  const send = (route: Route, id: string, { token, body }: { token?: string; body?: object }) =>
    app.request(route.path.replace('{id}', id), {
      method: route.method,
      headers: {
        ...(token !== undefined && { 'x-auth-token': token }),
        ...(route.body && { 'content-type': 'application/json' }),
      },
      ...(route.body && { body: JSON.stringify(body ?? { name: 'Other' }) }),
    });

  test.each(routes)('refuses %s without a session', async (_name, route) => {
    const { id } = await addOne();
    for (const token of [undefined, '', 'nonsense'])
      expect(await send(route, id, { ...(token !== undefined && { token }) })).toMatchObject(
        unauthorized,
      );
  });

  test.each(routes.filter(([, { access }]) => typeof access === 'object'))(
    'requires editTasks for %s',
    async (_name, route) => {
      const { id } = await addOne();
      for (const body of [
        { name: 'Other' },
        { type: 'adr', name: 'Other' },
        { type: 'adr', color: 'red' },
        {},
      ])
        expect(await send(route, id, { token: user.token, body })).toMatchObject(NOT_PERMITTED);
      expect((await board(matter.id)).columns.intake.items.some((task) => task.id === id)).toBe(
        true,
      );
    },
  );

  test.each(routes.filter(([, { path }]) => path.includes('{id}')))(
    'refuses %s for an unknown id',
    async (name, route) => {
      const message = name === 'readBoard' ? 'Case not found' : 'Task not found';
      for (const id of [randomUUID(), 'x', '%00', `${randomUUID()}0`])
        expect(await send(route, id, { token: clerk.token })).toMatchObject({
          status: 404,
          message,
          body: null,
        });
      expect(await send(route, 'x', { token: clerk.token, body: {} })).toMatchObject({
        status: route.body ? 400 : 404,
      });
    },
  );

  test('lets every user move a card, with PATCH and with PUT', async () => {
    const { id } = await addOne();
    const moved = await change(id, { type: 'discovery' }, user.token);
    expect(moved).toMatchObject({
      status: 200,
      message: 'Task updated',
      body: { id, type: 'discovery' },
    });
    const put = { token: user.token, params: { id }, body: { type: 'adr' } };
    expect((await app.call(taskRoutes.replaceTask, put)).body.type).toBe('adr');
    expect(await change(id, { type: 'done' }, user.token)).toMatchObject({
      status: 400,
      message: 'Type must be one of intake, demandOfInsurance, finalLawsuit, discovery, adr',
    });
  });
});

describe('a board', () => {
  test('has five titled columns in order, without placeholders', async () => {
    const { id } = await open();
    expect(await board(id)).toEqual({
      columns: {
        intake: { id: 'intake', title: 'Intake', items: [] },
        demandOfInsurance: { id: 'demandOfInsurance', title: 'Demand of Insurance', items: [] },
        finalLawsuit: { id: 'finalLawsuit', title: 'Final Lawsuit', items: [] },
        discovery: { id: 'discovery', title: 'Discovery', items: [] },
        adr: { id: 'adr', title: 'ADR', items: [] },
      },
      columnOrder: ['intake', 'demandOfInsurance', 'finalLawsuit', 'discovery', 'adr'],
    });
  });

  test('shows the case’s own tasks, the latest arrival of a column last', async () => {
    const { id } = await open();
    const [a, b, c, d] = [await addOne(id), await addOne(id), await addOne(id), await addOne(id)];
    await addOne();
    const idsIn = async (column: (typeof columnIds)[number]) =>
      (await board(id)).columns[column].items.map((task) => task.id);
    expect(await idsIn('intake')).toEqual([a.id, b.id, c.id, d.id]);
    for (const task of [c, a]) await change(task.id, { type: 'adr' }, user.token);
    expect(await idsIn('adr')).toEqual([c.id, a.id]);
    await change(d.id, { name: 'A change that is no move' });
    await change(c.id, { type: 'adr', name: 'Nor this one' });
    expect(await idsIn('intake')).toEqual([b.id, d.id]);
    expect(await idsIn('adr')).toEqual([c.id, a.id]);
    await change(b.id, { type: 'adr' });
    await change(c.id, { type: 'intake' });
    expect(await idsIn('adr')).toEqual([a.id, b.id]);
    expect(await idsIn('intake')).toEqual([d.id, c.id]);
  });

  test('reports since when a card is in its column, which only moves change', async () => {
    const task = await addOne();
    expect(task.columnSince).toBe(task.createdAt);
    const { body: moved } = await change(task.id, { type: 'adr' });
    expect(moved.columnSince).toBe(moved.updatedAt);
    const { body: renamed } = await change(task.id, { name: 'Renamed', type: 'adr' });
    expect(renamed.columnSince).toBe(moved.columnSince);
    expect(renamed.updatedAt > moved.updatedAt).toBe(true);
  });

  test('orders a column by `columnSince`, then by id', async () => {
    const { id } = await open();
    const tasks = await Promise.all(Array.from({ length: 20 }, () => addOne(id)));
    const moves = await Promise.all(tasks.map((task) => change(task.id, { type: 'adr' })));
    const moved = moves
      .map(({ body }) => body)
      .toSorted((a, b) => (`${a.columnSince}${a.id}` < `${b.columnSince}${b.id}` ? -1 : 1));
    expect((await board(id)).columns.adr.items).toEqual(moved);
  });

  test('has a limit of 5000 tasks', async () => {
    const { id } = await open();
    const task = await addOne(id);
    await app.pool.query(
      `insert into tasks (case_id, name, description, start_time, end_time, type, assigned_to, created_by)
       select case_id, name, '', start_time, end_time, type, assigned_to, created_by
       from tasks, generate_series(1, 4999) where id = $1`,
      [task.id],
    );
    expect((await board(id)).columns.intake.items).toHaveLength(5000);
    const full = {
      status: 409,
      code: 'boardFull',
      message: 'A case can have at most 5000 tasks',
      body: null,
    };
    expect(await add(newTask({ case: id, assignedTo: user.id }))).toMatchObject(full);
    expect(await change((await addOne()).id, { case: id })).toMatchObject(full);
    expect(await change(task.id, { case: id, name: 'Stays' })).toMatchObject({ status: 200 });
    await remove(task.id);
    expect(await add(newTask({ case: id, assignedTo: user.id }))).toMatchObject({ status: 201 });
  });
});

describe('adding a task', () => {
  test('appends it to intake and returns it', async () => {
    const { id } = await open();
    await addOne(id);
    const input = newTask({ case: id, assignedTo: user.id, assignee: clerk.id });
    const reply = await add(input);
    expect(reply).toMatchObject({ status: 201, message: 'Task created' });
    const added = reply.body.tasks;
    expect(added).toEqual({
      ...input,
      id: added.id,
      columnSince: added.createdAt,
      doneAt: null,
      assignedTo: nameOf(user),
      createdAt: added.createdAt,
      updatedAt: added.createdAt,
    });
    expect((await board(id)).columns.intake.items.at(-1)).toEqual(added);
  });

  test('requires neither description nor type nor assignee', async () => {
    const input: object = {
      ...newTask({ case: matter.id, assignedTo: user.id }),
      description: undefined,
      type: undefined,
    };
    expect((await add(input)).body.tasks).toMatchObject({
      description: '',
      type: 'intake',
      assignee: clerk.id,
    });
  });

  test('keeps times as instants in UTC', async () => {
    const times = { startTime: '2025-03-03T09:00+02:00', endTime: '2025-03-03T07:00:00.0004Z' };
    const { tasks } = (
      await add({ ...newTask({ case: matter.id, assignedTo: user.id }), ...times })
    ).body;
    expect(tasks).toMatchObject({
      startTime: '2025-03-03T07:00:00.000Z',
      endTime: '2025-03-03T07:00:00.000Z',
    });
  });

  const required = [
    ['name', 'Name is required'],
    ['startTime', 'Start time is required'],
    ['endTime', 'End time is required'],
    ['case', 'Please select any case'],
    ['assignedTo', 'Please select any user'],
  ] as const;

  test('reports every missing field in the form’s order', async () => {
    for (const body of [undefined, {}]) {
      const reply = await add(body);
      expect(reply).toMatchObject({ status: 400, message: 'Name is required', body: null });
      expect(reply.errors).toEqual(required.map(([path, message]) => ({ path, message })));
    }
  });

  test.each(required)('refuses a missing, null, empty or blank %s: %s', async (path, message) => {
    for (const value of [undefined, null, '', ' \t ']) {
      const reply = await add({
        ...newTask({ case: matter.id, assignedTo: user.id }),
        [path]: value,
      });
      expect(reply).toMatchObject({ status: 400, message });
      expect(reply.errors).toEqual([{ path, message }]);
    }
  });

  test.each([
    ['case', () => randomUUID(), 'Please select any case'],
    ['case', () => 'x', 'Please select any case'],
    ['case', () => 7, 'Please select any case'],
    ['assignedTo', () => randomUUID(), 'Only active users can be assigned'],
    ['assignedTo', () => 'x', 'Only active users can be assigned'],
    ['assignee', () => user.id, 'Assignee must be your own id'],
    ['assignee', () => '', 'Assignee must be a user id'],
    ['type', () => 'adr', 'Type must be one of intake'],
    ['type', () => 'new', 'Type must be one of intake'],
    ['startTime', () => 'tomorrow', 'Start time must be a date'],
    ['startTime', () => '2025-02-30T10:00:00Z', 'Start time must be a date'],
    ['startTime', () => '2025-03-03T10:00:00', 'Start time must be a date'],
    ['endTime', () => '2025-03-03T08:59:59.999Z', 'End time must not be before start time'],
    ['name', () => 'a\nb', 'Name must not hold control characters'],
    ['description', () => 'a\u202Eb', 'Description must not hold control characters'],
    ['description', () => 'x'.repeat(4001), 'Description must have at most 4000 characters'],
    ['color', () => 'red', 'Unknown field: color'],
    ['id', () => randomUUID(), 'Unknown field: id'],
  ])('refuses an invalid %s', async (path, value, message) => {
    const reply = await add({
      ...newTask({ case: matter.id, assignedTo: user.id }),
      [path]: value(),
    });
    expect(reply).toMatchObject({ status: 400, message, errors: [{ path, message }], body: null });
  });

  test('works for twenty at once', async () => {
    const { id } = await open();
    const wishes = Array.from({ length: 20 }, () => newTask({ case: id, assignedTo: user.id }));
    const replies = await Promise.all(wishes.map((wish) => add(wish)));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
    expect((await board(id)).columns.intake.items).toHaveLength(20);
  });
});

describe('the assigned user of a task', () => {
  test('is active, or was assigned before', async () => {
    const leaving = await registerUser(app);
    const task = await addTask(app, clerk.token, { case: matter.id, assignedTo: leaving.id });
    const other = await addOne();
    const params = { id: leaving.id };
    await app.call(accountRoutes.deactivateUser, { token: admin.token, params });
    const kept = await change(task.id, { assignedTo: leaving.id, name: 'Still theirs' });
    expect(kept.body.assignedTo).toEqual(nameOf(leaving));
    const refused = {
      status: 400,
      message: 'Only active users can be assigned',
      errors: [{ path: 'assignedTo' }],
    };
    expect(await change(other.id, { assignedTo: leaving.id })).toMatchObject(refused);
    expect(await add(newTask({ case: matter.id, assignedTo: leaving.id }))).toMatchObject(refused);
    expect((await change(task.id, { assignedTo: user.id })).body.assignedTo).toEqual(nameOf(user));
    expect(await change(task.id, { assignedTo: leaving.id })).toMatchObject(refused);
  });
});

describe('changing a task', () => {
  test('updates the given fields and keeps the rest, with PUT as with PATCH', async () => {
    const before = await addOne();
    const { body: renamed } = await change(before.id, { name: 'Renamed' });
    expect(renamed).toEqual({ ...before, name: 'Renamed', updatedAt: renamed.updatedAt });
    const put = { token: clerk.token, params: { id: before.id }, body: { description: '' } };
    const { body: emptied } = await app.call(taskRoutes.replaceTask, put);
    expect(emptied).toEqual({ ...renamed, description: '', updatedAt: emptied.updatedAt });
    expect(emptied.updatedAt > renamed.updatedAt).toBe(true);
    expect(renamed.updatedAt > before.updatedAt).toBe(true);
  });

  test.each([
    [undefined, 'Nothing to change'],
    [{}, 'Nothing to change'],
    [{ name: ' ' }, 'Name is required'],
    [{ assignedTo: null }, 'Please select any user'],
    [{ case: '' }, 'Please select any case'],
    [{ case: '00000000-0000-4000-8000-000000000000' }, 'Please select any case'],
    [{ type: null }, 'Type is required'],
    [{ assignee: 'x' }, 'Unknown field: assignee'],
    [{ startTime: 5 }, 'Start time must be a date'],
  ])('refuses %j', async (body, message) => {
    const before = await addOne();
    expect(await change(before.id, body)).toMatchObject({ status: 400, message, body: null });
    expect((await board(matter.id)).columns.intake.items).toContainEqual(before);
  });

  test('compares times with the stored ones', async () => {
    const { id, startTime, endTime } = await addOne();
    const refused = {
      status: 400,
      message: 'End time must not be before start time',
      errors: [{ path: 'endTime', message: 'End time must not be before start time' }],
    };
    expect(await change(id, { endTime: '2025-03-03T08:00:00Z' })).toMatchObject(refused);
    expect(await change(id, { startTime: '2025-03-04T17:00:00.001Z' })).toMatchObject(refused);
    expect(await change(id, { startTime: endTime })).toMatchObject({ status: 200 });
    expect(await change(id, { startTime, endTime: startTime })).toMatchObject({ status: 200 });
    const later = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' };
    expect(await change(id, later)).toMatchObject({ status: 200 });
  });

  test('moves a task to another case', async () => {
    const [from, to] = [await open(), await open()];
    const [task, before] = [await addOne(from.id), await addOne(to.id)];
    const { body: taken } = await change(task.id, { case: to.id });
    const { updatedAt } = taken;
    expect(taken).toEqual({ ...task, case: to.id, columnSince: updatedAt, updatedAt });
    expect((await board(from.id)).columns.intake.items).toEqual([]);
    expect((await board(to.id)).columns.intake.items).toEqual([before, taken]);
  });

  test('increases updatedAt strictly, even for twenty parallel changes', async () => {
    const { id, updatedAt } = await addOne();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? change(id, { name: `Name ${n}` }) : change(id, { type: 'adr' }, user.token),
      ),
    );
    const times = replies.map((reply) => reply.body.updatedAt);
    expect(new Set([updatedAt, ...times]).size).toBe(21);
    const last = replies.map(({ body }) => body).reduce(latest);
    const { columns } = await board(matter.id);
    expect(columns.adr.items.find((task) => task.id === id)).toEqual(last);
  });

  test('increases updatedAt past a clock that was ahead', async () => {
    const { id } = await addOne();
    const ahead = new Date(Date.now() + 60_000);
    await app.db.updateTable('tasks').set({ updated_at: ahead }).where('id', '=', id).execute();
    const { body } = await change(id, { name: 'Later still' });
    expect(body.updatedAt).toBe(new Date(ahead.getTime() + 1).toISOString());
  });

  test('lets the last of two parallel moves win, the same for everyone', async () => {
    const { id } = await open();
    const task = await addOne(id);
    const moves = await Promise.all(
      columnIds.map((type, n) => change(task.id, { type }, n % 2 ? user.token : clerk.token)),
    );
    const last = moves.map(({ body }) => body).reduce(latest);
    const { columns } = await board(id);
    expect(Object.values(columns).flatMap((column) => column.items)).toEqual([last]);
    expect(columns[last.type].items).toEqual([last]);
  });
});

describe('deleting a task', () => {
  test('removes it for everyone', async () => {
    const { id } = await open();
    const task = await addOne(id);
    expect(await remove(task.id)).toMatchObject({
      status: 200,
      message: 'Task deleted',
      body: null,
    });
    expect((await board(id)).columns.intake.items).toEqual([]);
    const notFound = { status: 404, message: 'Task not found' };
    expect(await remove(task.id)).toMatchObject(notFound);
    expect(await change(task.id, { type: 'adr' })).toMatchObject(notFound);
    expect(await change(task.id, { name: 'Back' })).toMatchObject(notFound);
  });

  test('happens once, despite parallel requests', async () => {
    const { id } = await addOne();
    const replies = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 404),
    ]);
  });
});

function latest(a: Task, b: Task): Task {
  return a.updatedAt > b.updatedAt ? a : b;
}
