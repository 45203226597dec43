import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Access, type AccessChange, accessRoutes } from '@matterdesk/contract/access.ts';
import { type Case, caseRoutes } from '@matterdesk/contract/cases.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { suite } from '../../testing/app.ts';
import { nextEvent } from '../../testing/client.ts';
import {
  addTask,
  newCase,
  newTask,
  openCase,
  registerAdmin,
  registerUser,
  registerWith,
  type SignedInPerson,
} from '../../testing/factories.ts';

const { app } = suite({});
let lead: SignedInPerson;
let colleague: SignedInPerson;
let stranger: SignedInPerson;
let admin: SignedInPerson;
let matter: Case;

beforeAll(async () => {
  const hands = { createCases: true, editTasks: true };
  lead = await registerWith(app, hands);
  colleague = await registerWith(app, hands);
  stranger = await registerUser(app);
  admin = await registerAdmin(app);
});

beforeEach(async () => {
  matter = await openCase(app, lead.token, { assignedUsers: [lead.id] });
});

const params = (id = matter.id) => ({ kind: 'cases', id });
async function read(person = lead): Promise<Access> {
  const { token } = person;
  return (await app.call(accessRoutes.readAccess, { token, params: params() })).body.access;
}
async function put(person: SignedInPerson, own: Partial<AccessChange>, query = {}) {
  const { updatedAt } = await read(own.updatedAt ? lead : admin);
  const body = {
    mode: 'restricted',
    people: [],
    screened: [],
    reason: 'Celebrity',
    updatedAt,
    ...own,
  };
  return app.call(accessRoutes.changeAccess, {
    token: person.token,
    params: params(),
    body,
    query,
  });
}
const sees = async ({ token }: SignedInPerson, id = matter.id) =>
  (await app.call(caseRoutes.readCase, { token, params: { id } })).status === 200;
const screen = (person: SignedInPerson) => [{ person: person.id, reason: 'Prior firm' }];

describe('a matter', () => {
  test('is open at first, and says who is assigned', async () => {
    expect(await read(stranger)).toEqual({
      updatedAt: expect.any(String),
      mode: 'open',
      people: [{ person: personOf(lead), why: 'assigned', until: null }],
      screened: [],
      history: [],
    });
  });

  test('is seen by its people alone once it is restricted, and by all once it is open again', async () => {
    const { body } = await put(lead, { people: [colleague.id] });
    expect(body).toMatchObject({
      access: {
        mode: 'restricted',
        people: [
          { person: personOf(lead), why: 'assigned' },
          { person: personOf(colleague), why: 'added' },
        ],
        history: [
          {
            by: personOf(lead),
            action: 'restricted',
            people: [personOf(colleague)],
            reason: 'Celebrity',
          },
        ],
      },
    });
    expect([await sees(colleague), await sees(stranger), await sees(admin)]).toEqual([
      true,
      false,
      false,
    ]);
    await put(lead, { mode: 'open', reason: 'Announced' });
    expect([await sees(stranger), await sees(admin)]).toEqual([true, true]);
  });

  test('hides from the screened alone, even when they are assigned or admins', async () => {
    const { token } = lead;
    await app.call(caseRoutes.changeCase, {
      token,
      params: { id: matter.id },
      body: { assignedUsers: [lead.id, colleague.id] },
    });
    await put(lead, {
      mode: 'open',
      screened: [...screen(colleague), ...screen(admin)],
      people: [],
    });
    expect([await sees(colleague), await sees(admin), await sees(stranger)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(
      await app.call(accessRoutes.readAccess, { token: admin.token, params: params() }),
    ).toMatchObject({ status: 404 });
    const list = await app.call(accessRoutes.listAccess, { token: admin.token });
    expect(list.body.matters.map(({ id }) => id)).not.toContain(matter.id);
  });

  test('counts its readers before anything is saved', async () => {
    const before = await read();
    const { body } = await put(lead, { people: [colleague.id] }, { dryRun: '1' });
    expect(body).toEqual({ sees: 2, loses: 2 });
    expect(await read()).toEqual(before);
  });
});

describe('a change is refused', () => {
  test('without the right to change matters or walls', async () => {
    expect(await put(stranger, {})).toMatchObject({ status: 403 });
  });

  test('without a reason for another mode or another screen', async () => {
    const missing = { status: 400, message: 'Please enter a reason' };
    expect(await put(lead, { reason: null })).toMatchObject(missing);
    expect(await put(lead, { mode: 'open', screened: screen(stranger), reason: '' })).toMatchObject(
      missing,
    );
    expect(await put(lead, { mode: 'open', people: [colleague.id], reason: null })).toMatchObject({
      status: 200,
    });
  });

  test('when access changed meanwhile', async () => {
    const { updatedAt } = await read();
    await put(lead, { people: [colleague.id] });
    expect(await put(lead, { mode: 'open', updatedAt })).toMatchObject({
      status: 409,
      message: 'Access changed meanwhile. Please look again',
    });
  });

  test('when no one would keep access', async () => {
    expect(await put(lead, { screened: screen(lead) })).toMatchObject({
      status: 409,
      message: 'Somebody must keep access',
    });
  });

  test('when a screened person is added too', async () => {
    expect(await put(lead, { people: [colleague.id], screened: screen(colleague) })).toMatchObject({
      status: 409,
      message: `${colleague.firstName} ${colleague.lastName} is screened from this matter`,
    });
  });

  test('when it lets its author in', async () => {
    await put(lead, {});
    expect(await put(admin, { people: [admin.id] })).toMatchObject({ status: 403 });
    expect(await put(admin, { mode: 'open' })).toMatchObject({ status: 403 });
    await openInEmergency();
    expect(await put(admin, { people: [admin.id] })).toMatchObject({ status: 403 });
  });

  test('when it names an unknown user', async () => {
    expect(await put(lead, { people: ['unknown'] })).toMatchObject({ status: 400 });
  });
});

describe('assigning', () => {
  const assign = (assignedUsers: string[], { token } = lead) =>
    app.call(caseRoutes.changeCase, { token, params: { id: matter.id }, body: { assignedUsers } });

  test('lets a user in, and taking the assignment back shuts them out', async () => {
    await put(lead, {});
    expect(await assign([lead.id, colleague.id])).toMatchObject({ status: 200 });
    expect(await sees(colleague)).toBe(true);
    await assign([lead.id]);
    expect(await sees(colleague)).toBe(false);
  });

  test('is refused for the screened', async () => {
    await put(lead, { screened: screen(colleague) });
    const refusal = {
      status: 409,
      message: `${colleague.firstName} ${colleague.lastName} is screened from this matter`,
    };
    expect(await assign([lead.id, colleague.id])).toMatchObject(refusal);
    const { token } = lead;
    const body = newTask({ case: matter.id, assignedTo: colleague.id });
    expect(await app.call(taskRoutes.addTask, { token, body })).toMatchObject(refusal);
    const task = await addTask(app, token, { case: matter.id, assignedTo: lead.id });
    const change = { params: { id: task.id }, body: { assignedTo: colleague.id } };
    expect(await app.call(taskRoutes.changeTask, { token, ...change })).toMatchObject(refusal);
  });

  test('never takes the last person away, but a user who leaves gets the reply', async () => {
    await put(lead, {});
    expect(await assign([])).toMatchObject({ status: 409, message: 'Somebody must keep access' });
    expect(await assign([colleague.id])).toMatchObject({
      status: 200,
      body: { case: { id: matter.id } },
    });
    expect(await sees(lead)).toBe(false);
  });
});

async function openInEmergency(hours = 2) {
  const { token } = admin;
  const body = { reason: 'A hearing today', hours };
  return app.call(accessRoutes.openAccess, { token, params: params(), body });
}

describe('emergency access', () => {
  test('is for those who manage walls', async () => {
    const { token } = lead;
    const body = { reason: 'Curious', hours: 1 };
    expect(
      await app.call(accessRoutes.openAccess, { token, params: params(), body }),
    ).toMatchObject({
      status: 403,
    });
  });

  test('shows the matter for some hours, notifies its people, and stays in the history', async () => {
    await put(lead, {});
    const socket = await app.socket(lead.token);
    const event = nextEvent(socket, 'access.opened', ({ id }) => id === matter.id);
    const { status, body } = await openInEmergency();
    expect(status).toBe(200);
    expect(Date.parse(body.until) - Date.now()).toBeGreaterThan(3600_000);
    expect(await event).toEqual({ id: matter.id, person: personOf(admin), until: body.until });
    expect(await sees(admin)).toBe(true);
    expect(await read()).toMatchObject({
      people: [{ why: 'assigned' }, { person: personOf(admin), why: 'opened', until: body.until }],
      history: [{ action: 'glassOpened', by: personOf(admin), reason: 'A hearing today' }, {}],
    });
  });

  test('ends by itself', async () => {
    await put(lead, {});
    await openInEmergency();
    await app.pool.query(`update base.case_access set until = now() where until is not null`);
    await app.pool.query(`update base.case_sight set until = now() where until is not null`);
    expect(await sees(admin)).toBe(false);
  });

  test('stays shut for the screened', async () => {
    await put(lead, { screened: screen(admin) });
    expect(await openInEmergency()).toMatchObject({ status: 404 });
  });
});

test('a user who loses a matter is notified at once, and an idempotent repeat answers like an unknown matter', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const body = newCase({ assignedUsers: [lead.id] });
  const { token } = colleague;
  const opened = await app.call(caseRoutes.openCase, { token, body, headers });
  matter = opened.body.case;
  const socket = await app.socket(token);
  const event = nextEvent(socket, 'access.changed', ({ id }) => id === matter.id);
  await put(lead, {});
  expect(await event).toEqual({ id: matter.id });
  expect(await app.call(caseRoutes.openCase, { token, body, headers })).toMatchObject({
    status: 404,
  });
});

function personOf({ id, firstName, lastName }: SignedInPerson) {
  return { id, firstName, lastName };
}
