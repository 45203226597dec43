import { describe, expect, test } from 'vitest';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import {
  addDeadline,
  addEvent,
  addTask,
  newDeadline,
  newEvent,
  newTask,
  openCase,
  registerAdmin,
  registerUser,
  type SignedInPerson,
  restrict,
} from '../../testing/factories.ts';

const { app, admin, ben } = suite({ admin: registerAdmin, ben: registerUser });

const open = () => openCase(app, admin.token);
async function add(caseId: string, { token }: SignedInPerson = admin) {
  const body = { kind: 'note', text: 'Ask for the October bills' } as const;
  const reply = await app.call(streamRoutes.addEntry, { token, params: { id: caseId }, body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.entry;
}
const madeOf = async (caseId: string, { token }: SignedInPerson = admin) => {
  const params = { id: caseId };
  const { body } = await app.call(streamRoutes.readStream, { token, params, query: {} });
  return body.items.find(({ source }) => source === 'entry')?.entry?.made;
};
const sourceOf = (id: string) => ({ type: 'entry', id }) as const;

describe('an entry', () => {
  test('shows the task, the event and the deadline that were made from it, as they are now', async () => {
    const { token } = admin;
    const { id } = await open();
    const source = sourceOf((await add(id)).id);
    const shared = { case: id, source };
    const task = await addTask(app, token, { ...shared, assignedTo: admin.id });
    const event = await addEvent(app, token, shared);
    const deadline = await addDeadline(app, token, { ...shared, owner: admin.id });
    const states = async () => (await madeOf(id, ben))?.map(({ state }) => state);
    expect(await madeOf(id, ben)).toEqual([
      { type: 'task', id: task.id, title: task.name, state: 'Intake' },
      { type: 'event', id: event.id, title: event.title, state: '2038-02-03' },
      { type: 'deadline', id: deadline.id, title: deadline.title, state: 'Open' },
    ]);
    expect(event.source).toEqual(source);
    expect(deadline.source).toEqual(source);

    const change = (body: object) =>
      app.call(taskRoutes.changeTask, { token, params: { id: task.id }, body });
    await change({ type: 'discovery' });
    await app.call(calendarRoutes.changeEvent, {
      token,
      params: { id: event.id },
      query: {},
      body: { start: '2038-03-01T15:00:00.000Z', end: '2038-03-01T16:00:00.000Z' },
    });
    const params = { id: deadline.id };
    await app.call(deadlineRoutes.proposeChange, {
      token,
      params,
      body: { action: 'complete', reason: 'Served' },
    });
    expect(await states()).toEqual(['Discovery', '2038-03-01', 'Done']);

    await change({ done: true });
    const cancel = { query: {}, body: { cancelled: true } };
    await app.call(calendarRoutes.changeEvent, { token, params: { id: event.id }, ...cancel });
    expect(await states()).toEqual(['Done', 'Canceled', 'Done']);

    await app.call(taskRoutes.deleteTask, { token, params: { id: task.id } });
    expect(await states()).toEqual(['Canceled', 'Done']);
    const { body } = await app.call(streamRoutes.readEntry, { token, params: { id: source.id } });
    expect(body.entry.made).toHaveLength(2);
  });

  test('shows a series once, by its first day', async () => {
    const { id } = await open();
    const source = sourceOf((await add(id)).id);
    await addEvent(app, admin.token, { case: id, source, recurrence: 'FREQ=WEEKLY;COUNT=5' });
    expect(await madeOf(id)).toMatchObject([{ type: 'event', state: '2038-02-03' }]);
  });

  test('keeps a task that moved to another matter to that matter', async () => {
    const { token } = admin;
    const [here, hidden] = [await open(), await open()];
    const source = sourceOf((await add(here.id)).id);
    const task = await addTask(app, token, { case: here.id, source, assignedTo: admin.id });
    const body = { case: hidden.id };
    await app.call(taskRoutes.changeTask, { token, params: { id: task.id }, body });
    expect(await madeOf(here.id)).toEqual([]);
  });

  test('has made one task of a request that was sent twice', async () => {
    const { id } = await open();
    const body = newTask({
      case: id,
      source: sourceOf((await add(id)).id),
      assignedTo: admin.id,
    });
    const headers = { 'idempotency-key': `made-${id}` };
    const send = () => app.call(taskRoutes.addTask, { token: admin.token, body, headers });
    const [first, again] = [await send(), await send()];
    expect(again.body.tasks.id).toBe(first.body.tasks.id);
    expect(await madeOf(id)).toHaveLength(1);
  });

  test('of another matter, unknown, deleted or walled is refused as a source', async () => {
    const { token } = admin;
    const [here, other, walled] = [await open(), await open(), await open()];
    const { id: away } = await add(other.id);
    const { id: deleted } = await add(here.id);
    await app.call(streamRoutes.deleteEntry, { token, params: { id: deleted } });
    const { id: hidden } = await add(walled.id);
    await restrict(app, { token: admin.token, id: walled.id, people: [admin.id] });
    const refused = { status: 400, errors: [{ path: 'source' }] };
    for (const id of [away, deleted, hidden, here.id, 'none', away.toUpperCase()]) {
      const shared = { case: here.id, source: sourceOf(id) };
      const { token: reader } = id === hidden ? ben : admin;
      const asked = { token, body: newTask({ ...shared, assignedTo: admin.id }) };
      expect(await app.call(taskRoutes.addTask, asked)).toMatchObject(refused);
      const event = { token: reader, body: newEvent(shared) };
      expect(await app.call(calendarRoutes.addEvent, event)).toMatchObject(refused);
      const deadline = { token: reader, body: newDeadline({ ...shared, owner: admin.id }) };
      expect(await app.call(deadlineRoutes.addDeadline, deadline)).toMatchObject(refused);
    }
    const { id: known } = await add(here.id);
    const event = { token, body: newEvent({ source: sourceOf(known) }) };
    expect(await app.call(calendarRoutes.addEvent, event)).toMatchObject(refused);
    const added = await addEvent(app, token, { case: here.id });
    const patch = { params: { id: added.id }, query: {}, body: { source: sourceOf(away) } };
    expect(await app.call(calendarRoutes.changeEvent, { token, ...patch })).toMatchObject(refused);
    const { id } = await addDeadline(app, token, { case: here.id, owner: admin.id });
    const changed = { params: { id }, body: { source: sourceOf(away) } };
    expect(await app.call(deadlineRoutes.changeDeadline, { token, ...changed })).toMatchObject(
      refused,
    );
  });
});
