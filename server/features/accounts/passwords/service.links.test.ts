import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AccessChange, accessRoutes } from '@matterdesk/contract/access.ts';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { auditRoutes } from '@matterdesk/contract/audit.ts';
import { feedRoutes } from '@matterdesk/contract/calendar-exchange.ts';
import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { deadlineRoutes } from '@matterdesk/contract/deadlines.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { noticeRoutes } from '@matterdesk/contract/notices.ts';
import { passwordRoutes } from '@matterdesk/contract/passwords.ts';
import { secondFactorRoutes } from '@matterdesk/contract/second-factors.ts';
import { taskRoutes } from '@matterdesk/contract/tasks.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { nextEvent, NOT_PERMITTED } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  addDeadline,
  addEvent,
  addIntake,
  addTask,
  noticesOf,
  openCase,
  registerAdmin,
  registerManager,
  registerUser,
  registerWith,
  type SignedInPerson,
  signIn,
} from '../../../testing/factories.ts';
import { type Smtp, startSmtp } from '../../../testing/smtp.ts';

const TAKEN = 'harbor lamp seven otters';
const DEAD = { status: 400, code: 'linkDead' };
let app: TestApp;
let smtp: Smtp;
let admin: SignedInPerson;
let manager: SignedInPerson;
let lead: SignedInPerson;
/** The user whose account is taken. */
let ada: SignedInPerson;

beforeAll(async () => {
  smtp = await startSmtp();
  app = await startTestApp({ env: smtp.env });
  admin = await registerAdmin(app);
  manager = await registerManager(app);
  lead = await registerWith(app, { createCases: true, editTasks: true, handleIntakes: true });
});
beforeEach(async () => {
  ada = await registerUser(app);
  await app.pool.query('delete from attempts');
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});

const named = ({ id, firstName, lastName }: SignedInPerson) => ({ id, firstName, lastName });
const nameOf = ({ firstName, lastName }: SignedInPerson) => `${firstName} ${lastName}`;
const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const setPassword = (token: string, password = TAKEN) =>
  app.call(passwordRoutes.reset, { body: { token, password } });

async function makeLink(by: SignedInPerson, of = ada): Promise<string> {
  const reply = await app.call(passwordRoutes.createLink, {
    token: by.token,
    params: { id: of.id },
  });
  expect(reply).toMatchObject({ status: 201 });
  return tokenOf(reply.body.url);
}

/** Sets a password by a link and signs in with it. */
async function take(by = manager, of = ada): Promise<SignedInPerson> {
  expect(await setPassword(await makeLink(by, of))).toMatchObject({ status: 200 });
  return signIn(app, of.email, TAKEN);
}

async function linkFromMail(of: SignedInPerson): Promise<string> {
  await app.call(passwordRoutes.forgot, { body: { email: of.email } });
  const find = () =>
    smtp.mails
      .filter(({ recipient }) => recipient === of.email)
      .map(({ text }) => /reset-password\/([\w-]{43})/.exec(text ?? '')?.[1])
      .find((token) => token !== undefined);
  return (await eventually(() => {
    const token = find();
    expect(token).toBeDefined();
    return token;
  })) as string;
}

const readAccess = async (kind: string, id: string, { token } = lead) =>
  (await app.call(accessRoutes.readAccess, { token, params: { kind, id } })).body.access;
async function putAccess(
  by: SignedInPerson,
  { kind, id, ...own }: { kind: string; id: string } & Partial<AccessChange>,
) {
  const { updatedAt } = await readAccess(kind, id);
  const usual = { mode: 'restricted', people: [], screened: [], reason: 'Celebrity' } as const;
  const body = { ...usual, updatedAt, ...own };
  return app.call(accessRoutes.changeAccess, { token: by.token, params: { kind, id }, body });
}

async function restrictedCase(assigned = [lead, ada]) {
  const matter = await openCase(app, lead.token, { assignedUsers: assigned.map(({ id }) => id) });
  await putAccess(lead, { kind: 'cases', id: matter.id });
  return matter;
}

describe('acting for someone with a right that a manager of users lacks', () => {
  test('takes an admin: no link, no deactivation, no reactivation', async () => {
    const attorney = await registerWith(app, { createCases: true });
    const { token } = manager;
    const params = { id: attorney.id };
    const change = (body: object) => app.call(accountRoutes.changeUser, { token, params, body });
    const link = () => app.call(passwordRoutes.createLink, { token, params });
    expect(await link()).toMatchObject(NOT_PERMITTED);
    expect(await change({ active: false })).toMatchObject(NOT_PERMITTED);
    expect(await app.call(accountRoutes.deactivateUser, { token, params })).toMatchObject(
      NOT_PERMITTED,
    );
    expect(await change({ phoneNumber: '1 555 010 0000' })).toMatchObject({ status: 200 });
    expect(await change({ email: 'mine@firm.example' })).toMatchObject({ status: 400 });
    await app.call(accountRoutes.deactivateUser, { token: admin.token, params });
    expect(await change({ active: true })).toMatchObject(NOT_PERMITTED);
    expect(
      await app.call(accountRoutes.changeUser, {
        token: admin.token,
        params,
        body: { active: true },
      }),
    ).toMatchObject({ status: 200 });
    await makeLink(admin, attorney);
  });

  test('is no use of an older link either, nor of one whose maker has left', async () => {
    const older = await makeLink(manager);
    await app.call(accountRoutes.changeUser, {
      token: admin.token,
      params: { id: ada.id },
      body: { permissions: { manageWalls: true } },
    });
    expect(await setPassword(older)).toMatchObject(DEAD);
    const leaving = await registerManager(app);
    const bob = await registerUser(app);
    const orphaned = await makeLink(leaving, bob);
    await app.call(accountRoutes.deactivateUser, {
      token: admin.token,
      params: { id: leaving.id },
    });
    expect(await setPassword(orphaned)).toMatchObject(DEAD);
  });
});

describe('a password that someone else’s link set', () => {
  test('shows restricted matters as unknown, everywhere', async () => {
    const matter = await restrictedCase();
    const task = await addTask(app, lead.token, { case: matter.id, assignedTo: ada.id });
    const hearing = await addEvent(app, lead.token, { case: matter.id, people: [ada.id] });
    const intake = await addIntake(app, lead.token);
    await putAccess(lead, { kind: 'intakes', id: intake.id, people: [ada.id] });
    const before = await app.call(caseRoutes.listCases, { token: ada.token, query: { limit: 1 } });
    const { token } = await take();
    const search = { token, query: { search: matter.caseName, limit: 50 } };
    const [one, list, found, board, event, inquiry, mine, bell] = await Promise.all([
      app.call(caseRoutes.readCase, { token, params: { id: matter.id } }),
      app.call(caseRoutes.listCases, { token, query: { limit: 1 } }),
      app.call(caseRoutes.listCases, search),
      app.call(taskRoutes.readBoard, { token, params: { id: matter.id } }),
      app.call(calendarRoutes.readEvent, { token, params: { id: hearing.id } }),
      app.call(intakeRoutes.readIntake, { token, params: { id: intake.id } }),
      app.call(intakeRoutes.listIntakes, { token }),
      app.call(noticeRoutes.listNotices, { token }),
    ]);
    expect([one.status, event.status, inquiry.status]).toEqual([404, 404, 404]);
    expect(list.body.total).toBe(before.body.total - 1);
    expect(found.body.cases).toEqual([]);
    expect(JSON.stringify([board.body, mine.body, bell.body])).not.toContain(task.id);
    expect(JSON.stringify(mine.body)).not.toContain(intake.id);
    expect(JSON.stringify(bell.body)).not.toContain(matter.id);
    const access = { token, params: { kind: 'cases', id: matter.id } };
    expect(await app.call(accessRoutes.readAccess, access)).toMatchObject({ status: 404 });
  });

  test('receives no event of a restricted matter', async () => {
    const matter = await restrictedCase();
    const open = await openCase(app, lead.token, { assignedUsers: [lead.id] });
    const socket = await app.socket((await take()).token);
    const received: string[] = [];
    socket.onAny((_, payload: object) => received.push(JSON.stringify(payload)));
    const last = nextEvent(socket, 'case.updated');
    for (const { id } of [matter, open])
      await app.call(caseRoutes.changeCase, {
        token: lead.token,
        params: { id },
        body: { judge: 'Hon. Someone Else' },
      });
    await last;
    expect(received.filter((payload) => payload.includes(matter.id))).toEqual([]);
  });

  test('waits until someone with access lets the person in again, never the person themselves', async () => {
    const matter = await restrictedCase();
    const place = { kind: 'cases', id: matter.id };
    const taken = await take();
    const access = await readAccess('cases', matter.id);
    expect(access.people.map(({ person }) => person.id)).toEqual([lead.id]);
    expect(access.paused).toEqual([
      { person: named(ada), why: 'assigned', by: named(manager), at: expect.any(String) },
    ]);
    expect(access.history[0]).toMatchObject({ action: 'paused', by: named(manager) });
    // Another change leaves the person waiting.
    const other = await registerUser(app);
    expect(await putAccess(lead, { ...place, people: [other.id] })).toMatchObject({ status: 200 });
    const read = () =>
      app.call(caseRoutes.readCase, { token: taken.token, params: { id: matter.id } });
    expect(await read()).toMatchObject({ status: 404 });
    expect(await putAccess(lead, { ...place, people: [other.id, ada.id] })).toMatchObject({
      body: { access: { people: [{ person: named(lead) }, {}, {}] } },
    });
    expect(await read()).toMatchObject({ status: 200 });
    expect(await readAccess('cases', matter.id)).not.toHaveProperty('paused');
  });

  test('counts also for what is restricted later, and is not undone by an own change of an open matter', async () => {
    const clerk = await registerWith(app, { createCases: true });
    const matter = await openCase(app, lead.token, { assignedUsers: [lead.id, clerk.id] });
    const taken = await take(admin, clerk);
    const place = { kind: 'cases', id: matter.id };
    expect(await putAccess(taken, { ...place, mode: 'open', people: [clerk.id] })).toMatchObject(
      NOT_PERMITTED,
    );
    for (const ids of [[lead.id], [lead.id, clerk.id]])
      await app.call(caseRoutes.changeCase, {
        token: taken.token,
        params: { id: matter.id },
        body: { assignedUsers: ids },
      });
    await putAccess(lead, place);
    const { token } = taken;
    expect(await app.call(caseRoutes.readCase, { token, params: { id: matter.id } })).toMatchObject(
      {
        status: 404,
      },
    );
  });

  test('ends emergency access that was given before', async () => {
    const keeper = await registerWith(app, { manageWalls: true });
    const matter = await restrictedCase([lead]);
    const params = { kind: 'cases', id: matter.id };
    const body = { reason: 'A hearing today', hours: 2 };
    await app.call(accessRoutes.openAccess, { token: keeper.token, params, body });
    const { token } = await take(admin, keeper);
    expect(await app.call(caseRoutes.readCase, { token, params: { id: matter.id } })).toMatchObject(
      {
        status: 404,
      },
    );
  });

  test('tells the person by notice and mail, the admins, and those who can let the person in', async () => {
    const matter = await restrictedCase();
    await take();
    const made = `${nameOf(manager)} made a link that sets your password`;
    const set = `Your password was set with a link that ${nameOf(manager)} made`;
    await eventually(() => {
      const own = smtp.mails.filter(({ recipient }) => recipient === ada.email);
      expect(own.map(({ subject }) => subject)).toEqual(expect.arrayContaining([made, set]));
    });
    const again = await signIn(app, ada.email, TAKEN);
    expect((await noticesOf(app, again)).map(({ title, type }) => [type, title])).toEqual([
      ['account', set],
      ['account', made],
    ]);
    const titles = (await noticesOf(app, admin)).map(({ title }) => title);
    expect(titles).toContain(
      `${nameOf(manager)} made a link that sets the password of ${nameOf(ada)}`,
    );
    expect(titles).toContain(
      `The password of ${nameOf(ada)} was set with a link that ${nameOf(manager)} made`,
    );
    expect(await noticesOf(app, lead)).toContainEqual(
      expect.objectContaining({
        type: 'access',
        title: `${nameOf(ada)}’s password was reset by ${nameOf(manager)}: let ${ada.firstName} in again under Access`,
        item: expect.objectContaining({ type: 'case', id: matter.id }) as object,
      }),
    );
  });

  test('names in the record who made the link beside whose password it set', async () => {
    await take();
    const { body } = await app.call(auditRoutes.listEntries, {
      token: admin.token,
      query: { action: 'passwordReset', limit: 1 },
    });
    expect(body.entries[0]).toMatchObject({
      actor: { id: ada.id },
      entityId: ada.id,
      after: { linkBy: named(manager) },
    });
  });

  test('leaves no way in behind for the next password', async () => {
    const { token } = await take();
    const feed = await app.call(feedRoutes.addFeed, { token, body: { name: 'Mine' } });
    const fetched = () => fetch(feed.body.url.replace(/^https?:\/\/[^/]+/, app.url));
    expect((await fetched()).status).toBe(200);
    await app.pool.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
      values ($1, 'taken', '', 0, '{}', 'Mine')`,
      [ada.id],
    );
    expect(await setPassword(await linkFromMail(ada), 'another lamp in the harbor')).toMatchObject({
      status: 200,
    });
    expect((await fetched()).status).toBe(404);
    const { rows } = await app.pool.query('select from passkeys where user_id = $1', [ada.id]);
    expect(rows).toEqual([]);
  });

  test('is no pause when the person asked for the link by mail, or made it for themselves', async () => {
    const own = await registerWith(app, { manageUsers: true });
    const matter = await restrictedCase([lead, ada, own]);
    await setPassword(await linkFromMail(ada));
    await take(own, own);
    for (const { email } of [ada, own]) {
      const { token } = await signIn(app, email, TAKEN);
      expect(
        await app.call(caseRoutes.readCase, { token, params: { id: matter.id } }),
      ).toMatchObject({ status: 200 });
    }
  });
});

describe('the second person of a deadline', () => {
  const verify = (by: SignedInPerson, id: string) =>
    app.call(deadlineRoutes.verifyDeadline, {
      token: by.token,
      params: { id },
      body: { date: '2038-03-03', time: null },
    });
  const hard = (by: SignedInPerson, owner: string, second: string) =>
    addDeadline(app, by.token, { hard: true, owner, second });

  test('is not the account whose password the author’s link set, nor the other way around', async () => {
    const owner = await registerUser(app);
    const entered = await hard(manager, owner.id, ada.id);
    const taken = await take();
    expect(await verify(taken, entered.id)).toMatchObject(NOT_PERMITTED_AS_ONE);
    const reverse = await hard(taken, owner.id, manager.id);
    expect(await verify(manager, reverse.id)).toMatchObject(NOT_PERMITTED_AS_ONE);
    // A link in the person's own mail proves who uses it.
    await setPassword(await linkFromMail(ada), 'another lamp in the harbor');
    const back = await signIn(app, ada.email, 'another lamp in the harbor');
    expect(await verify(back, entered.id)).toMatchObject({ status: 200 });
  });

  test('does not decide a change that the maker of the link proposed', async () => {
    const owner = await registerUser(app);
    const entered = await hard(manager, owner.id, ada.id);
    expect(await verify(ada, entered.id)).toMatchObject({ status: 200 });
    const body = { action: 'vacate', date: null, time: null, reason: 'Settled', proof: '' };
    const params = { id: entered.id };
    const change = { token: manager.token, params, body };
    expect(await app.call(deadlineRoutes.proposeChange, change)).toMatchObject({ status: 200 });
    const { token } = await take();
    const decision = { token, params, body: { accept: true, reason: 'Yes' } };
    expect(await app.call(deadlineRoutes.decideChange, decision)).toMatchObject(
      NOT_PERMITTED_AS_ONE,
    );
  });
});

const NOT_PERMITTED_AS_ONE = {
  ...NOT_PERMITTED,
  message:
    'Ask another person: one of you set the other’s password with a link, so you count as one',
};

test('removing a second factor is reported to the person and to the admins', async () => {
  const other = await registerAdmin(app);
  await app.pool.query(`update users set second_factor = 'totp' where id = $1`, [ada.id]);
  await app.call(secondFactorRoutes.removeSecondFactor, {
    token: admin.token,
    params: { id: ada.id },
  });
  expect((await noticesOf(app, ada)).map(({ title }) => title)).toEqual([
    `${nameOf(admin)} removed your second factor`,
  ]);
  expect((await noticesOf(app, other)).map(({ title }) => title)).toEqual([
    `${nameOf(admin)} removed the second factor of ${nameOf(ada)}`,
  ]);
});
