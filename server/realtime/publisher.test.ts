import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { caseRoutes, type Case } from '@matterdesk/contract/cases.ts';
import type { EventOrigin } from '@matterdesk/contract/events.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestSocket } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import {
  addTask,
  newCase,
  newPerson,
  newTask,
  openCase,
  registerAdmin,
  registerUser,
  signIn,
  unique,
  type SignedInPerson,
} from '../testing/factories.ts';

let here: TestApp;
/** A second process of the same firm. */
let there: TestApp;
let admin: SignedInPerson;
let user: SignedInPerson;

beforeAll(async () => {
  here = await startTestApp();
  there = await startTestApp({ database: here.database });
  admin = await registerAdmin(here);
  user = await registerUser(here);
});
afterAll(async () => {
  await there.close();
  await here.close();
});

type Received = { name: string; payload: unknown };

function recordEvents(socket: TestSocket): Received[] {
  const received: Received[] = [];
  socket.onAny((name: string, payload: unknown) => received.push({ name, payload }));
  return received;
}

function originsOf(socket: TestSocket, entity: 'task' | 'user'): EventOrigin[] {
  const origins: EventOrigin[] = [];
  socket.onAny((name: string, _payload: unknown, origin: EventOrigin) => {
    if (name.startsWith(entity)) origins.push(origin);
  });
  return origins;
}

/** Collects each socket's events from now on. */
async function listen(...sockets: TestSocket[]): Promise<Received[][]> {
  const recorded = sockets.map(recordEvents);
  await everyoneReceived(...recorded);
  for (const received of recorded) received.length = 0;
  return recorded;
}

/** Waits until everyone received a new case, and so everything before it; returns its name. */
async function everyoneReceived(...all: Received[][]) {
  const { caseName } = await openCase(here, admin.token, { caseName: `Marker ${unique()}` });
  const isMarker = ({ payload }: Received) =>
    (payload as { caseName?: string }).caseName === caseName;
  await eventually(() => expect(all.every((received) => received.some(isMarker))).toBe(true));
  for (const received of all) received.splice(received.findIndex(isMarker));
}

const onBoth = async (token: string) => listen(await here.socket(token), await there.socket(token));

describe('a socket learns how long there was no event for its user', () => {
  const quietOf = (socket: TestSocket) => socket.timeout(5000).emitWithAck('quiet');
  const expectEventSince = async (socket: TestSocket, begun: number) => {
    const quiet = await quietOf(socket);
    expect(quiet).toBeLessThanOrEqual(performance.now() - begun);
  };
  const expectNoneSince = async (socket: TestSocket, begun: number) => {
    const asked = performance.now();
    expect(await quietOf(socket)).toBeGreaterThanOrEqual(asked - begun);
  };

  test('in whichever process an event was sent', async () => {
    const sockets = [await here.socket(user.token), await there.socket(user.token)];
    const recorded = await listen(...sockets);
    const begun = performance.now();
    await openCase(there, admin.token);
    await everyoneReceived(...recorded);
    for (const socket of sockets) await expectEventSince(socket, begun);
  });

  test('while others receive theirs', async () => {
    const other = await registerUser(here);
    const [mine, theirs] = [await here.socket(user.token), await here.socket(other.token)];
    await listen(mine, theirs);
    const begun = performance.now();
    const counts = { mail: 1, scan: 0, text: 0, upload: 0 };
    const audience = { userIds: [other.id] };
    here.context.realtime.publish('tray.changed', { counts }, { actor: null, audience });
    await expectEventSince(theirs, begun);
    await expectNoneSince(mine, begun);
  });

  test('beside what it did itself', async () => {
    const person = await registerUser(here);
    const [socket, other] = [await here.socket(person.token), await here.socket(user.token)];
    await listen(socket, other);
    const begun = performance.now();
    const headers = { 'x-socket-id': socket.id ?? '' };
    const body = { lastName: 'Quiet' };
    const params = { id: person.id };
    await here.call(accountRoutes.changeUser, { token: person.token, params, body, headers });
    await expectEventSince(other, begun);
    await expectNoneSince(socket, begun);
  });

  test('and never longer than its process has listened to the others', async () => {
    const begun = performance.now();
    const late = await startTestApp({ database: here.database });
    await expectEventSince(await late.socket(user.token), begun);
    await late.close();
  });
});

describe('every process broadcasts', () => {
  test('cases in the form of replies', async () => {
    const recorded = await onBoth(user.token);
    const opened = await here.call(caseRoutes.openCase, { token: admin.token, body: newCase() });
    const params = { id: opened.body.case.id };
    const body = { statusType: 'Archive', assignedUsers: [user.id] };
    const changed = await here.call(caseRoutes.changeCase, { token: admin.token, params, body });
    await everyoneReceived(...recorded);
    for (const received of recorded)
      expect(received).toEqual([
        { name: 'case.created', payload: opened.body.case },
        { name: 'case.updated', payload: changed.body.case },
      ]);
  });

  test('tasks', async () => {
    const { id: from } = await openCase(here, admin.token);
    const { id: to } = await openCase(here, admin.token);
    const recorded = await onBoth(user.token);
    const added = await addTask(here, admin.token, { case: from, assignedTo: user.id });
    const params = { id: added.id };
    const change = async (body: object) =>
      (await here.call(taskRoutes.changeTask, { token: admin.token, params, body })).body;
    const moved = await change({ type: 'adr' });
    const renamed = await change({ name: 'Other', case: from });
    const taken = await change({ case: to, type: 'discovery' });
    await here.call(taskRoutes.deleteTask, { token: admin.token, params });
    await everyoneReceived(...recorded);
    for (const received of recorded)
      expect(received).toEqual([
        { name: 'task.created', payload: added },
        { name: 'task.updated', payload: moved },
        { name: 'task.updated', payload: renamed },
        { name: 'task.deleted', payload: { id: added.id, case: from } },
        { name: 'task.created', payload: taken },
        { name: 'task.deleted', payload: { id: added.id, case: to } },
      ]);
  });

  test('who did it and when, in an order that a late event cannot confuse', async () => {
    const { id: from } = await openCase(here, admin.token);
    const { id: to } = await openCase(here, admin.token);
    const sockets = [await here.socket(user.token), await there.socket(user.token)];
    const origins = sockets.map((socket) => originsOf(socket, 'task'));
    const added = await addTask(here, admin.token, { case: from, assignedTo: user.id });
    const params = { id: added.id };
    const change = async (token: string, body: object) =>
      (await here.call(taskRoutes.changeTask, { token, params, body })).body;
    const moved = await change(user.token, { type: 'adr' });
    const taken = await change(admin.token, { case: to });
    await here.call(taskRoutes.deleteTask, { token: admin.token, params });
    const person = ({ id, firstName, lastName }: SignedInPerson) => ({ id, firstName, lastName });
    const [boss, mover] = [person(admin), person(user)];
    for (const received of origins) {
      await eventually(() => expect(received).toHaveLength(5));
      expect(received.slice(0, 4)).toEqual([
        { actor: boss, at: added.updatedAt },
        { actor: mover, at: moved.updatedAt },
        { actor: boss, at: taken.updatedAt },
        { actor: boss, at: taken.updatedAt },
      ]);
      expect(received[4]).toEqual({ actor: boss, at: expect.any(String) });
      expect((received[4]?.at ?? '') > taken.updatedAt).toBe(true);
    }
  });

  test('no actor where no user acted', async () => {
    const received = originsOf(await there.socket(user.token), 'user');
    await here.call(accountRoutes.register, { body: newPerson() });
    await eventually(() => expect(received).toEqual([{ actor: null, at: expect.any(String) }]));
  });

  test('users', async () => {
    const recorded = await onBoth(user.token);
    const person = newPerson();
    const { body } = await here.call(accountRoutes.register, { body: person });
    const params = { id: body.id };
    const patch = { phoneNumber: '1 999 888 7777' };
    const changed = await here.call(accountRoutes.changeUser, {
      token: admin.token,
      params,
      body: patch,
    });
    await here.call(accountRoutes.deactivateUser, { token: admin.token, params });
    const { body: users } = await here.call(accountRoutes.listUsers, { token: admin.token });
    await everyoneReceived(...recorded);
    const { phoneNumber } = person;
    for (const received of recorded)
      expect(received).toEqual([
        { name: 'user.created', payload: { ...changed.body, phoneNumber } },
        { name: 'user.updated', payload: changed.body },
        { name: 'user.updated', payload: users.find((one) => one.id === body.id) },
      ]);
  });

  test('the cases of an import in the file’s order', async () => {
    const { id } = await openCase(here, admin.token, { caseName: 'First of many' });
    const { text } = await here.call(caseRoutes.exportCases, {
      token: admin.token,
      query: { search: 'First of many' },
    });
    const [header, row = ''] = text.split(/(?<=\r\n)(?="First)/);
    const rows = Array.from({ length: 300 }, (_, n) => row.replace(/CV-\d+-\d+/, `Import ${n}`));
    const recorded = await onBoth(user.token);
    const form = new FormData();
    form.append('file', new Blob([header + rows.join('')]), 'cases.csv');
    const headers = { 'x-auth-token': admin.token };
    await here.request('/api/v1/cases/import', { method: 'POST', headers, body: form });
    await everyoneReceived(...recorded);
    for (const received of recorded)
      expect(received.map(({ payload }) => (payload as Case).caseNo)).toEqual(
        rows.map((_, n) => `Import ${n}`),
      );
    const read = await here.call(caseRoutes.readCase, { token: user.token, params: { id } });
    expect(read.status).toBe(200);
  });

  test('nothing that was refused', async () => {
    const { id } = await openCase(here, admin.token);
    const recorded = await onBoth(admin.token);
    const { token } = admin;
    const refused = [
      await here.call(caseRoutes.openCase, { token: user.token, body: newCase() }),
      await here.call(caseRoutes.openCase, { token, body: newCase({ judge: '' }) }),
      await here.call(caseRoutes.changeCase, { token, params: { id }, body: {} }),
      await here.call(accountRoutes.register, { body: newPerson({ email: user.email }) }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 400, 400, 409]);
    await everyoneReceived(...recorded);
    expect(recorded).toEqual([[], []]);
  });

  test('once, however often a request is repeated with its key', async () => {
    const recorded = await onBoth(user.token);
    const body = newCase();
    const headers = { 'idempotency-key': `key-${unique()}` };
    for (let n = 0; n < 3; n += 1)
      expect(
        await here.call(caseRoutes.openCase, { token: admin.token, body, headers }),
      ).toMatchObject({ status: 201 });
    await everyoneReceived(...recorded);
    for (const received of recorded) expect(received).toHaveLength(1);
  });

  test('texts of every length that a notification may have', async () => {
    const { id } = await openCase(here, admin.token);
    const [, received = []] = await onBoth(user.token);
    const lengths = Array.from({ length: 60 }, (_, n) => n);
    const before = await countLong();
    for (const length of lengths) {
      const description = 'é'.repeat(3590) + 'x'.repeat(length);
      await addTask(here, admin.token, { case: id, assignedTo: user.id, description });
    }
    await eventually(() => expect(received).toHaveLength(lengths.length));
    const long = (await countLong()) - before;
    expect(long).toBeGreaterThan(0);
    expect(long).toBeLessThan(lengths.length);
  });
});

/** Count of notifications that were too long and went through the table, whose old rows are deleted. */
async function countLong() {
  const { rows } = await here.pool.query<{ n: number }>(
    `select coalesce(pg_sequence_last_value(
       pg_get_serial_sequence('socket_io_attachments', 'id')::regclass), 0)::int as n`,
  );
  return rows[0]?.n ?? 0;
}

describe('the socket that makes a change', () => {
  /** Sockets of a user's two sessions, on both processes. */
  async function twoSessions() {
    const own = await signIn(here, admin.email);
    const other = await signIn(here, admin.email);
    const sockets = {
      own: await here.socket(own.token),
      ownElsewhere: await there.socket(own.token),
      other: await here.socket(other.token),
      otherElsewhere: await there.socket(other.token),
    };
    return { token: own.token, sockets };
  }

  test.each(['own', 'ownElsewhere'] as const)(
    'does not receive its own event: %s',
    async (named) => {
      const { token, sockets } = await twoSessions();
      const names = ['own', 'ownElsewhere', 'other', 'otherElsewhere'] as const;
      const recorded = await listen(...names.map((name) => sockets[name]));
      const headers = { 'x-socket-id': sockets[named].id ?? '' };
      const body = newCase();
      const { id } = (await here.call(caseRoutes.openCase, { token, body, headers })).body.case;
      const task = newTask({ case: id, assignedTo: user.id });
      const added = await here.call(taskRoutes.addTask, { token, body: task, headers });
      const params = { id: added.body.tasks.id };
      await here.call(taskRoutes.changeTask, { token, params, body: { type: 'adr' }, headers });
      await here.call(taskRoutes.deleteTask, { token, params, headers });
      const change = { token, params: { id: user.id }, body: { lastName: 'New' }, headers };
      await here.call(accountRoutes.changeUser, change);
      await everyoneReceived(...recorded);
      const counts = names.map((name) => (name === named ? 0 : 5));
      expect(recorded.map((received) => received.length)).toEqual(counts);
    },
  );

  test.each(['other', 'otherElsewhere'] as const)(
    'cannot silence the socket of another session: %s',
    async (named) => {
      const { token, sockets } = await twoSessions();
      const recorded = await listen(...Object.values(sockets));
      const headers = { 'x-socket-id': sockets[named].id ?? '' };
      await here.call(caseRoutes.openCase, { token, body: newCase(), headers });
      await everyoneReceived(...recorded);
      for (const received of recorded) expect(received).toHaveLength(1);
    },
  );

  test('may send an unknown id', async () => {
    const { token, sockets } = await twoSessions();
    const recorded = await listen(...Object.values(sockets));
    for (const id of ['x', `user:${admin.id}`, `${sockets.own.id},x`]) {
      const headers = { 'x-socket-id': id };
      await here.call(caseRoutes.openCase, { token, body: newCase(), headers });
    }
    await everyoneReceived(...recorded);
    for (const received of recorded) expect(received).toHaveLength(3);
  });
});

test('the publisher shows pending users to managers of users only, while they have the permission', async () => {
  const firm = await startTestApp({ env: { REGISTRATION: 'approval' } });
  const branch = await startTestApp({ env: { REGISTRATION: 'approval' }, database: firm.database });
  const register = async () =>
    (await firm.call(accountRoutes.register, { body: newPerson() })).body.id;
  const owner = newPerson();
  await firm.call(accountRoutes.register, { body: owner });
  const boss = await signIn(firm, owner.email);
  const change = (id: string, body: object) =>
    firm.call(accountRoutes.changeUser, { token: boss.token, params: { id }, body });
  const clerk = newPerson();
  const { id } = (await firm.call(accountRoutes.register, { body: clerk })).body;
  await change(id, { active: true });
  const { token } = await signIn(firm, clerk.email);
  const received = [await firm.socket(token), await branch.socket(token)].map(recordEvents);
  const bossReceived = recordEvents(await branch.socket(boss.token));
  const all = [...received, bossReceived];
  const settled = async () => {
    // Everyone is notified of the clerk.
    const { body } = await change(id, { phoneNumber: `1 ${unique()}` });
    const isIt = ({ payload }: Received) =>
      (payload as { phoneNumber?: string }).phoneNumber === body.phoneNumber;
    await eventually(() => expect(all.every((one) => one.some(isIt))).toBe(true));
  };
  const idsIn = (one: Received[]) => one.map(({ payload }) => (payload as { id: string }).id);

  const first = await register();
  await settled();
  await change(id, { permissions: { manageUsers: true } });
  const second = await register();
  await settled();
  await change(id, { permissions: { manageUsers: false } });
  const third = await register();
  await settled();
  await change(third, { active: true });
  await settled();
  expect(idsIn(bossReceived)).toEqual(expect.arrayContaining([first, second, third]));
  for (const one of received) {
    expect(idsIn(one)).not.toContain(first);
    expect(idsIn(one)).toContain(second);
    const approved = one.filter(({ payload }) => (payload as { id: string }).id === third);
    expect(approved).toEqual([
      { name: 'user.updated', payload: expect.objectContaining({ id: third, active: true }) },
    ]);
  }
  await branch.close();
  await firm.close();
});
