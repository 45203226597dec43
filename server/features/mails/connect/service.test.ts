import { describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import { mailRoutes, mailAccountRoutes } from '@matterdesk/contract/mails.ts';
import { startTestApp } from '../../../testing/app.ts';
import { nextEvent } from '../../../testing/client.ts';
import { eventually } from '../../../testing/eventually.ts';
import {
  registerAdmin,
  registerUser,
  signIn,
  type SignedInPerson,
} from '../../../testing/factories.ts';
import { ADA, BEN, connect, grant, mailSuite } from '../../../testing/mail.ts';

const notConnected = { code: 'googleNotConnected', ...errorCodes.googleNotConnected };
const { running, ada } = mailSuite({ ada: ({ app }) => registerUser(app) }, { isFresh: true });

const finish = (body: object, { token }: { token: string } = ada) =>
  running.app.call(mailAccountRoutes.finishConnecting, { token, body });
const list = ({ token, email }: SignedInPerson = ada) =>
  running.app.call(mailRoutes.listMails, { token, params: { userEmail: email } });
const me = async ({ token }: SignedInPerson = ada) =>
  (await running.app.call(accountRoutes.me, { token })).body;
const revocations = () =>
  running.google.requests.filter(({ path }) => path.endsWith('/revoke')).length;

const exchanges = () =>
  running.google.requests.filter(({ path }) => path.endsWith('/token')).length;

describe('connecting', () => {
  test('requests one scope, a refresh token, PKCE and consent from Google', async () => {
    const { body } = await running.app.call(mailAccountRoutes.startConnecting, {
      token: ada.token,
    });
    const { searchParams } = new URL(body.data);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: 'http://desk.example/dashboard/emails',
      scope: 'https://www.googleapis.com/auth/gmail.modify',
      access_type: 'offline',
      prompt: 'consent',
      code_challenge_method: 'S256',
      login_hint: ada.email,
    });
    expect(searchParams.get('state')?.length).toBeGreaterThan(40);
    expect(body.data).not.toContain(running.google.env['GOOGLE_CLIENT_SECRET']);
  });

  test('stores the grant encrypted and exposes only its fingerprint', async () => {
    const user = await connect(running, ada);
    expect(user).toMatchObject({ id: ada.id, googleEmail: ADA.email });
    expect(user.googleRefreshToken?.length).toBeLessThan(20);
    expect(await me()).toEqual(user);
    expect(await signIn(running.app, ada.email)).toMatchObject(user);
    const row = await running.app.db
      .selectFrom('google_grants')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(row.refresh_token.toString('latin1')).not.toContain('1//');
    expect(JSON.stringify(running.app.logLines())).not.toMatch(/1\/\/|ya29|4\//);
  });

  test('accepts a Google account with another address and shows it', async () => {
    const user = await connect(running, ada, BEN.email);
    expect(user.googleEmail).toBe(BEN.email);
    expect((await list()).status).toBe(200);
    const byGoogle = { token: ada.token, params: { userEmail: BEN.email.toUpperCase() } };
    expect((await running.app.call(mailRoutes.listMails, byGoogle)).status).toBe(200);
  });

  test('accepts a state once, and only from the session that requested it', async () => {
    const eve = await registerUser(running.app);
    const body = await grant(running, ada);
    const stolen = await finish({ ...body, userEmail: eve.email }, eve);
    expect([stolen.status, stolen.message]).toEqual([400, expect.stringContaining('expired')]);
    const otherSession = await signIn(running.app, ada.email);
    expect((await finish({ ...body, userEmail: ada.email }, otherSession)).status).toBe(400);
    expect((await finish({ ...body, userEmail: ada.email })).status).toBe(200);
    expect((await finish({ ...body, userEmail: ada.email })).status).toBe(400);
    expect((await list()).status).toBe(200);
  });

  test('accepts one of two parallel calls, and the grant works', async () => {
    const body = { ...(await grant(running, ada)), userEmail: ada.email };
    const replies = await Promise.all([finish(body), finish(body), finish(body)]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect(exchanges()).toBe(1);
    expect((await list()).status).toBe(200);
  });

  test('refuses an expired state', async () => {
    const body = { ...(await grant(running, ada)), userEmail: ada.email };
    await running.app.db
      .updateTable('google_states')
      .set({ created_at: new Date(Date.now() - 601_000) })
      .execute();
    expect((await finish(body)).status).toBe(400);
    expect((await me()).googleRefreshToken).toBeNull();
  });

  test('stores nothing without the permission, and revokes the grant at Google', async () => {
    const body = await grant(running, ada, { scopes: [] });
    const reply = await finish({ ...body, userEmail: ada.email });
    expect(reply).toMatchObject({
      status: 403,
      code: 'googleScopesMissing',
      message: expect.stringContaining('every box'),
    });
    expect((await me()).googleEmail).toBeNull();
    await eventually(() => expect(revocations()).toBe(1));
    expect(await list()).toMatchObject(notConnected);
  });

  test('reports that Google rejected the code or failed', async () => {
    const { state } = await grant(running, ada);
    const forged = await finish({ code: '4/forged', state, userEmail: ada.email });
    expect([forged.status, forged.message]).toEqual([400, expect.stringContaining('rejected')]);
    const body = { ...(await grant(running, ada)), userEmail: ada.email };
    running.google.faults.push({ path: /profile/, status: 503, times: Infinity });
    expect((await finish(body)).status).toBe(502);
    expect((await me()).googleEmail).toBeNull();
  });

  test('refuses signed-out clients, another user’s address and invalid bodies', async () => {
    const body = { code: 'c', state: 's', userEmail: 'somebody@else.example' };
    expect((await finish(body)).status).toBe(403);
    expect((await finish({ ...body, userEmail: ada.email, extra: 1 })).status).toBe(400);
    expect((await finish({ state: 's', userEmail: ada.email })).message).toBe('Code is required');
    expect((await finish(body, { token: 'none' })).message).toBe('Unauthorized token provided');
    expect((await running.app.call(mailAccountRoutes.startConnecting, {})).status).toBe(400);
    expect((await running.app.call(mailAccountRoutes.disconnect, {})).status).toBe(400);
  });
});

describe('disconnecting', () => {
  test('deletes the grant at once, and revokes it at Google even after an outage', async () => {
    await connect(running, ada);
    running.google.faults.push({ path: /revoke/, status: 503, times: 5 });
    const { body } = await running.app.call(mailAccountRoutes.disconnect, { token: ada.token });
    expect(body.data).toMatchObject({ googleRefreshToken: null, googleEmail: null });
    expect(await list()).toMatchObject(notConnected);
    await eventually(() => expect(running.google.faults).toEqual([]));
    await eventually(() => expect(revocations()).toBeGreaterThan(5));
    expect(
      (await running.app.call(mailAccountRoutes.disconnect, { token: ada.token })).status,
    ).toBe(200);
  });

  test('does not revoke while a colleague is connected to the same account', async () => {
    const ben = await registerUser(running.app);
    await connect(running, ada);
    await connect(running, ben);
    await running.app.call(mailAccountRoutes.disconnect, { token: ada.token });
    expect((await list(ben)).status).toBe(200);
    await running.app.call(mailAccountRoutes.disconnect, { token: ben.token });
    await eventually(() => expect(revocations()).toBe(1));
  });

  test('happens when Google revoked the grant, and notifies the other tabs', async () => {
    await connect(running, ada);
    const socket = await running.app.socket(ada.token);
    const event = nextEvent(socket, 'user.updated');
    running.google.revokeAll();
    const reply = await list();
    expect(reply).toMatchObject({ code: 'googleGrantLost', ...errorCodes.googleGrantLost });
    expect((await event).id).toBe(ada.id);
    expect((await me()).googleRefreshToken).toBeNull();
    expect(await list()).toMatchObject(notConnected);
    await connect(running, ada);
    expect((await list()).status).toBe(200);
  });

  test.each(['DELETE', 'PATCH'])(
    'happens to a user deactivated by %s, who needs a new grant afterwards',
    async (method) => {
      const admin = await registerAdmin(running.app);
      await connect(running, ada);
      const params = { id: ada.id };
      const { token } = admin;
      const reply =
        method === 'DELETE'
          ? await running.app.call(accountRoutes.deactivateUser, { token, params })
          : await running.app.call(accountRoutes.changeUser, {
              token,
              params,
              body: { active: false },
            });
      expect(reply.status).toBe(200);
      const left = await running.app.db.selectFrom('google_grants').selectAll().execute();
      expect(left).toEqual([]);
      await eventually(() => expect(revocations()).toBe(1));
      expect((await list()).status).toBe(400);
      await running.app.call(accountRoutes.changeUser, { token, params, body: { active: true } });
      const back = { ...ada, ...(await signIn(running.app, ada.email)) };
      expect((await me(back)).googleEmail).toBeNull();
      expect(await list(back)).toMatchObject(notConnected);
      await connect(running, back);
      expect((await list(back)).status).toBe(200);
    },
  );

  test('leaves no grant of a user who is deactivated during the exchange', async () => {
    const admin = await registerAdmin(running.app);
    const body = { ...(await grant(running, ada)), userEmail: ada.email };
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    running.google.faults.push({ path: /token$/, until });
    const asking = finish(body);
    await eventually(() => expect(exchanges()).toBe(1));
    const asked = { token: admin.token, params: { id: ada.id } };
    expect((await running.app.call(accountRoutes.deactivateUser, asked)).status).toBe(200);
    goOn();
    expect((await asking).status).toBe(400);
    expect(await running.app.db.selectFrom('google_grants').selectAll().execute()).toEqual([]);
  });

  test('is not caused by an expired access token, which is refreshed', async () => {
    await connect(running, ada);
    await list();
    running.google.expireTokens();
    expect((await list()).status).toBe(200);
  });
});

test('without configuration the refusal says whom to ask, and disconnecting still works', async () => {
  const app = await startTestApp();
  const person = await registerUser(app);
  const { token } = person;
  const params = { userEmail: person.email };
  const refused = await app.call(mailRoutes.listMails, { token, params });
  expect([refused.status, refused.message]).toEqual([
    503,
    "Email isn't set up yet. Ask your administrator.",
  ]);
  const other = { token, params: { userEmail: 'x@y.example' } };
  expect((await app.call(mailRoutes.listMails, other)).status).toBe(403);
  expect((await app.call(mailAccountRoutes.startConnecting, { token })).status).toBe(503);
  expect((await app.call(mailAccountRoutes.disconnect, { token })).status).toBe(200);
  await app.close();
});
