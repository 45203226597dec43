import { createEmulator, type Emulator } from 'emulate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailRoutes, mailAccountRoutes, mailWritingRoutes } from '@matterdesk/contract/mails.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { registerUser, type SignedInPerson } from '../../testing/factories.ts';
import { ADA, plainMail } from '../../testing/mail.ts';

const PUBLIC_URL = 'http://desk.example';
const [client_id, client_secret] = ['emulated', 'secret'];

let app: TestApp;
let google: Emulator;
let clerk: SignedInPerson;

beforeEach(async () => {
  const raw = Buffer.from(plainMail()).toString('base64url');
  const message = { id: 'm1', user_email: ADA.email, raw, label_ids: ['INBOX', 'UNREAD'] };
  const redirect_uris = [`${PUBLIC_URL}/dashboard/emails`];
  const client = { client_id, client_secret, name: 'Matterdesk', redirect_uris };
  google = await createEmulator({
    service: 'google',
    port: 0,
    seed: { google: { users: [ADA], oauth_clients: [client], messages: [message] } },
  });
  app = await startTestApp({
    env: {
      PUBLIC_URL,
      GOOGLE_CLIENT_ID: client_id,
      GOOGLE_CLIENT_SECRET: client_secret,
      GOOGLE_AUTH_URL: `${google.url}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${google.url}/oauth2/token`,
      GOOGLE_REVOKE_URL: `${google.url}/oauth2/revoke`,
      GMAIL_ROOT_URL: google.url,
    },
  });
  clerk = await registerUser(app);
});
afterEach(async () => {
  await app.close();
  await google.close();
});

/** Submits the emulator's consent page. */
async function consent(authUrl: string) {
  const form = new URLSearchParams(new URL(authUrl).search);
  form.set('email', ADA.email);
  const answer = await fetch(`${google.url}/o/oauth2/v2/auth/callback`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' };
}

test('mail works with an emulator without mailbox profiles', async () => {
  const { token, email: userEmail } = clerk;
  const asked = await app.call(mailAccountRoutes.startConnecting, { token });
  const body = { ...(await consent(asked.body.data)), userEmail };
  const connected = await app.call(mailAccountRoutes.finishConnecting, { token, body });
  expect(connected).toMatchObject({ status: 200, body: { data: { googleEmail: ADA.email } } });

  const list = (section: string) =>
    app.call(mailRoutes.listMails, { token, params: { userEmail }, query: { section } });
  expect((await list('inbox')).body.data.inbox).toMatchObject([{ subject: 'The lease' }]);

  const mail = { from: userEmail, to: 'jane.doe@client.example', subject: 'Re', text: 'Yes' };
  expect((await app.call(mailWritingRoutes.sendMail, { token, body: mail })).status).toBe(200);
  expect((await list('sent')).body.data.sent).toMatchObject([{ subject: 'Re' }]);
});
