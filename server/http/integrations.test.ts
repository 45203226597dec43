import { afterAll, beforeAll, expect, test } from 'vitest';
import { integrationRoutes } from '@matterdesk/contract/integrations.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { registerUser } from '../testing/factories.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await registerUser(app));
});
afterAll(() => app.close());

test('lists the missing variables for signed-in users', async () => {
  const { body } = await app.call(integrationRoutes.listIntegrations, { token });
  expect(body.google).toContain('GOOGLE_CLIENT_ID');
  expect(body.twilio).toContain('TWILIO_ACCOUNT_SID');
});

test('refuses callers who are not signed in', async () => {
  const { message } = await app.call(integrationRoutes.listIntegrations);
  expect(message).toBe('Unauthorized token provided');
});
