import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailAccountRoutes } from '@matterdesk/contract/mails.ts';
import { messageRoutes } from '@matterdesk/contract/messages.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { registerUser, type SignedInPerson } from '../../../testing/factories.ts';
import { startGoogle, type Google } from '../../../testing/google.ts';
import { grant } from '../../../testing/mail.ts';

/** A certificate for 127.0.0.1 that no authority signed, as of someone between the server and a service. */
const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTAtvbN6updrDqWYC
ksk7CNJEi9/kRIoxYhI6amwvEHahRANCAATRIdn5AunNnkMC7y+6q5i2w8gt7+IU
ZD+C5ixJavI80gXpEiCnvjoyiJ61NHVDws3u1dB7Kj5lIvNi/OvEh4hZ
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkTCCATagAwIBAgIUDrGjy6wnrZi/X9+fdaRn3xp7/H8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyNDEyMDE0M1oYDzIxMjYxMDMx
MTIwMTQzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATRIdn5AunNnkMC7y+6q5i2w8gt7+IUZD+C5ixJavI80gXpEiCnvjoy
iJ61NHVDws3u1dB7Kj5lIvNi/OvEh4hZo2QwYjAdBgNVHQ4EFgQUh6/vqynhCNpj
HaEu4e8EEHqlFRYwHwYDVR0jBBgwFoAUh6/vqynhCNpjHaEu4e8EEHqlFRYwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
IQDE9jukTAyt3e6rSsX/vFw3b9PGoLxSo5fojq79vLOXNQIhAJhhtQC8dtoTqQ8y
cSUbjgVndQAY6m9/c3Tp+qHlUw6O
-----END CERTIFICATE-----`,
};

const asked: string[] = [];
const between = createServer(SELF_SIGNED, ({ url = '' }, response) => {
  asked.push(url);
  response.setHeader('content-type', 'application/json').end('{"access_token":"x"}');
});

let app: TestApp;
let google: Google;
let ada: SignedInPerson;

beforeAll(async () => {
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  const url = `https://127.0.0.1:${(between.address() as AddressInfo).port}`;
  const email = 'ada@firm.example';
  google = await startGoogle({ users: [{ email, name: 'Ada' }] });
  const twilio = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token' };
  app = await startTestApp({
    env: { ...google.env, ...twilio, GOOGLE_TOKEN_URL: `${url}/token`, TWILIO_BASE_URL: url },
    waits: { twilio: 3000 },
  });
  ada = await registerUser(app);
});
afterAll(async () => {
  await app.close();
  await google.close();
  between.close();
});

test('the server sends no code to a Google whose certificate no authority signed', async () => {
  const body = { ...(await grant({ app, google }, ada)), userEmail: ada.email };
  const reply = await app.call(mailAccountRoutes.finishConnecting, { token: ada.token, body });
  expect(reply.status).toBe(502);
  expect(asked).toEqual([]);
});

test('the server sends no password to a Twilio whose certificate no authority signed', async () => {
  const query = { country: 'US' };
  const reply = await app.call(messageRoutes.listOffers, { token: ada.token, query });
  expect(reply.status).toBe(502);
  expect(asked).toEqual([]);
});
