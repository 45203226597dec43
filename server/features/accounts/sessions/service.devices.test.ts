import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountRoutes } from '@matterdesk/contract/accounts.ts';
import { deviceRoutes } from '@matterdesk/contract/devices.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { disconnected } from '../../../testing/client.ts';
import { PASSWORD, registerUser } from '../../../testing/factories.ts';

let app: TestApp;
/** A second process of the same firm. */
let beside: TestApp;

beforeAll(async () => {
  app = await startTestApp();
  beside = await startTestApp({ database: app.database });
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

async function signInAs(email: string, agent: string) {
  const body = { email, password: PASSWORD };
  return (await app.call(accountRoutes.login, { body, headers: { 'user-agent': agent } })).body;
}

async function list(token: string) {
  return (await app.call(deviceRoutes.list, { token })).body.sessions;
}

describe('the sessions of a user', () => {
  test('are listed with place and time, the current one marked', async () => {
    const { email } = await registerUser(app);
    const { token } = await signInAs(email, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0');
    const sessions = await list(token);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ current }) => current)).toEqual({
      id: expect.any(String),
      current: true,
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      address: '127.0.0.1',
      agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    });
  });

  test('end one by one, with their tabs in every process', async () => {
    const person = await registerUser(app);
    const { token } = await signInAs(person.email, 'Telephone');
    const end = disconnected(await beside.socket(person.token));
    const id = (await list(token)).find(({ current }) => !current)?.id ?? '';
    expect(await app.call(deviceRoutes.end, { token, params: { id } })).toMatchObject({
      status: 200,
    });
    expect(await end).toBe('io server disconnect');
    expect(await app.call(accountRoutes.me, { token: person.token })).toMatchObject({
      status: 400,
    });
    expect(await list(token)).toHaveLength(1);
  });

  test('all end but the current one', async () => {
    const person = await registerUser(app);
    const { token } = await signInAs(person.email, 'Telephone');
    const [here, there] = [await app.socket(token), await beside.socket(person.token)];
    const end = disconnected(there);
    expect(await app.call(deviceRoutes.endOthers, { token })).toMatchObject({ status: 200 });
    expect(await end).toBe('io server disconnect');
    expect(here.connected).toBe(true);
    expect(await list(token)).toMatchObject([{ current: true }]);
  });

  test('are out of reach for everyone else', async () => {
    const [one, other] = [await registerUser(app), await registerUser(app)];
    const [session] = await list(other.token);
    for (const id of [session?.id ?? '', randomUUID(), 'me'])
      expect(await app.call(deviceRoutes.end, { token: one.token, params: { id } })).toMatchObject({
        status: 404,
        message: 'Session not found',
      });
    expect(await list(other.token)).toHaveLength(1);
  });
});
