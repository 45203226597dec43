import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { invitationRoutes } from '@matterdesk/contract/invitations.ts';
import { registrationRoutes } from '@matterdesk/contract/registration.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { NOT_PERMITTED } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  newPerson,
  registerAdmin,
  registerManager,
  registerUser,
  type SignedInPerson,
  signIn,
  unique,
} from '../../../testing/factories.ts';
import { type Smtp, startSmtp } from '../../../testing/smtp.ts';

const DEAD = { status: 403, message: 'This invitation is no longer valid' };

let app: TestApp;
let closed: TestApp;
let smtp: Smtp;
let admin: SignedInPerson;
let manager: SignedInPerson;

beforeAll(async () => {
  smtp = await startSmtp();
  app = await startTestApp({ env: smtp.env });
  admin = await registerAdmin(app);
  manager = await registerManager(app);
  closed = await startTestApp({ env: { REGISTRATION: 'closed' }, database: app.database });
});
afterAll(async () => {
  await closed.close();
  await app.close();
  await smtp.close();
});

const newAddress = () => `invited.${unique()}@firm.example`;

function invite({ token }: SignedInPerson, body: object) {
  return app.call(invitationRoutes.invite, { token, body });
}

function accept(url: string, email: string, by = closed) {
  const invitation = new URL(url).searchParams.get('invitation') ?? '';
  const body = newPerson({ email, invitation, role: 'admin' });
  return by.call(accountRoutes.register, { body });
}

describe('an invitation', () => {
  test('makes an active account with its role and permissions, even where registration is closed', async () => {
    const email = newAddress();
    const reply = await invite(admin, { email, permissions: { editTasks: true } });
    const { invitation, url } = reply.body;
    expect(reply.status).toBe(201);
    expect(url).toMatch(/^http:\/\/localhost:3000\/register\?invitation=[\w-]{43}$/);
    expect(invitation).toMatchObject({
      email,
      role: 'user',
      permissions: { editTasks: true, manageUsers: false },
      by: { id: admin.id, firstName: admin.firstName, lastName: admin.lastName },
      usedAt: null,
    });
    const life = Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt);
    expect(Math.round(life / 3600_000)).toBe(72);
    const query = { invitation: url.slice(-43) };
    const { body: terms } = await closed.call(registrationRoutes.readTerms, { query });
    expect(terms).toMatchObject({ mode: 'closed', invited: email });
    expect(await accept(url, email.toUpperCase())).toMatchObject({ status: 201 });
    expect(await signIn(app, email)).toMatchObject({
      role: 'user',
      permissions: { editTasks: true, manageUsers: false },
    });
    expect(await accept(url, email)).toMatchObject({ status: 403 });
    const { body } = await app.call(invitationRoutes.list, { token: admin.token });
    expect(body.invitations[0]).toMatchObject({ email, usedAt: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain(url.slice(-43));
  });

  test('is mailed with the name of who invites', async () => {
    const email = newAddress();
    const { url } = (await invite(manager, { email })).body;
    const find = () => smtp.mails.find(({ recipient }) => recipient === email);
    await eventually(() => expect(find()).toBeDefined());
    expect(find()?.subject).toBe(
      `${manager.firstName} ${manager.lastName} invites you to Matterdesk`,
    );
    expect(find()?.text).toContain(url);
  });

  test('is bound to its address, ends after 72 hours, and once withdrawn or replaced', async () => {
    const email = newAddress();
    const first = (await invite(admin, { email })).body;
    expect(await accept(first.url, newAddress())).toMatchObject(DEAD);
    const second = (await invite(admin, { email })).body;
    expect(await accept(first.url, email)).toMatchObject(DEAD);
    const params = { id: second.invitation.id };
    expect(
      await app.call(invitationRoutes.withdraw, { token: manager.token, params }),
    ).toMatchObject({ status: 200 });
    expect(await accept(second.url, email)).toMatchObject(DEAD);
    const third = (await invite(admin, { email })).body;
    await app.pool.query(`update invitations set expires_at = now() - interval '1 second'`);
    expect(await accept(third.url, email)).toMatchObject(DEAD);
  });

  test('keeps its address from registering without it, and is not for an address with an account', async () => {
    const email = newAddress();
    await invite(admin, { email });
    const body = newPerson({ email });
    expect(await app.call(accountRoutes.register, { body })).toMatchObject({
      status: 409,
      message: 'This address has an invitation; please use its link',
    });
    const { email: taken } = await registerUser(app);
    expect(await invite(admin, { email: taken })).toMatchObject({
      status: 409,
      message: 'Email already exists',
    });
  });

  test('is refused to an address that had three within an hour', async () => {
    const email = newAddress();
    const answers = [];
    for (let sent = 0; sent < 4; sent += 1) answers.push((await invite(admin, { email })).status);
    expect(answers).toEqual([201, 201, 201, 429]);
    const mailed = () => smtp.mails.filter(({ recipient }) => recipient === email).length;
    await eventually(() => expect(mailed()).toBe(3));
    expect(await invite(admin, { email: newAddress() })).toMatchObject({ status: 201 });
  });

  test('as admin, or with permissions, comes from an admin only', async () => {
    for (const extra of [{ role: 'admin' }, { permissions: { createCases: true } }])
      expect(await invite(manager, { email: newAddress(), ...extra })).toMatchObject(NOT_PERMITTED);
    const permissions = { createCases: false };
    expect(await invite(manager, { email: newAddress(), role: 'user', permissions })).toMatchObject(
      { status: 201 },
    );
    const { invitation } = (await invite(admin, { email: newAddress(), role: 'admin' })).body;
    const params = { id: invitation.id };
    expect(
      await app.call(invitationRoutes.withdraw, { token: manager.token, params }),
    ).toMatchObject(NOT_PERMITTED);
  });
});
