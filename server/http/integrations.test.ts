import { beforeAll, expect, test } from 'vitest';
import { integrationRoutes } from '@matterdesk/contract/integrations.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { suite } from '../testing/app.ts';
import { registerAdmin, registerUser } from '../testing/factories.ts';

const { app } = suite({});
let token: string;
beforeAll(async () => {
  ({ token } = await registerUser(app));
});

test('the server tells users whom to ask, and names the settings to admins alone', async () => {
  const { body } = await app.call(integrationRoutes.listIntegrations, { token });
  expect(body.google).toBe("Email isn't set up yet. Ask your administrator.");
  expect(body.twilio).toBe("Texting isn't set up yet. Ask your administrator.");
  const admin = await registerAdmin(app);
  const known = await app.call(integrationRoutes.listIntegrations, { token: admin.token });
  expect(known.body.google).toContain('Set GOOGLE_CLIENT_ID');
  expect(known.body.twilio).toContain('Set TWILIO_ACCOUNT_SID');
});

test('a refused call says the same', async () => {
  const admin = await registerAdmin(app);
  const refusalFor = async (person: { token: string }) =>
    (await app.call(messageRoutes.listOffers, { token: person.token, query: { areaCode: '415' } }))
      .message;
  expect(await refusalFor({ token })).toBe("Texting isn't set up yet. Ask your administrator.");
  expect(await refusalFor(admin)).toContain('Set TWILIO_ACCOUNT_SID');
});

test('the server refuses callers who are not signed in', async () => {
  const { message } = await app.call(integrationRoutes.listIntegrations);
  expect(message).toBe('Unauthorized token provided');
});
