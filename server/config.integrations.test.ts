import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const google = { GOOGLE_CLIENT_ID: 'desk.example', GOOGLE_CLIENT_SECRET: 'secret' };
const twilio = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token' };

test('the configuration does not contact outside services by default', () => {
  expect(readConfig({})).toMatchObject({ google: undefined, twilio: undefined });
});

test("the configuration uses Google's own addresses with the firm's project", () => {
  expect(readConfig(google).google).toEqual({
    clientId: 'desk.example',
    clientSecret: 'secret',
    authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    gmailRootUrl: 'https://gmail.googleapis.com',
    waits: expect.objectContaining({ read: 8000, signIn: 8000, again: 250 }) as unknown,
    push: undefined,
  });
});

test('the configuration waits ten seconds for a reply of Twilio', () => {
  expect(readConfig(twilio).twilio?.patience).toBe(10_000);
});

test('the configuration accepts other addresses, with or without a trailing slash', () => {
  const elsewhere = 'http://127.0.0.1:4000/';
  expect(readConfig({ ...google, GMAIL_ROOT_URL: elsewhere }).google).toMatchObject({
    gmailRootUrl: 'http://127.0.0.1:4000',
  });
  expect(readConfig({ ...twilio, TWILIO_BASE_URL: elsewhere }).twilio).toMatchObject({
    baseUrl: 'http://127.0.0.1:4000',
  });
});

const push = {
  GOOGLE_PUBSUB_TOPIC: 'projects/firm-desk/topics/gmail',
  GOOGLE_PUBSUB_ACCOUNT: 'push@firm-desk.iam.gserviceaccount.com',
};

test('the configuration gets pushes of new mail by the configured topic and account', () => {
  expect(readConfig({ ...google, ...push }).google?.push).toEqual({
    topic: 'projects/firm-desk/topics/gmail',
    account: 'push@firm-desk.iam.gserviceaccount.com',
    certsUrl: 'https://www.googleapis.com/oauth2/v1/certs',
  });
});

describe('an invalid push configuration', () => {
  const cases: [string, NodeJS.ProcessEnv][] = [
    ['GOOGLE_PUBSUB_TOPIC', { GOOGLE_PUBSUB_TOPIC: 'gmail' }],
    ['GOOGLE_PUBSUB_TOPIC', { GOOGLE_PUBSUB_TOPIC: 'projects/firm-desk/subscriptions/gmail' }],
    ['GOOGLE_PUBSUB_TOPIC', { GOOGLE_PUBSUB_TOPIC: '' }],
    ['GOOGLE_PUBSUB_ACCOUNT', { GOOGLE_PUBSUB_ACCOUNT: '' }],
    ['GOOGLE_PUBSUB_ACCOUNT', { GOOGLE_PUBSUB_ACCOUNT: 'push' }],
    ['GOOGLE_CERTS_URL', { GOOGLE_CERTS_URL: 'certs' }],
    ['GOOGLE_CLIENT_ID', { GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' }],
  ];
  test.each(cases)('is refused because of %s in %o', (name, env) => {
    const read = () => readConfig({ ...google, ...push, ...env });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
  });
});

describe('a partial configuration', () => {
  const cases: [string, NodeJS.ProcessEnv][] = [
    ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'desk.example' }],
    ['GOOGLE_CLIENT_ID', { GOOGLE_CLIENT_SECRET: 'secret' }],
    ['TWILIO_AUTH_TOKEN', { TWILIO_ACCOUNT_SID: twilio.TWILIO_ACCOUNT_SID }],
    ['TWILIO_ACCOUNT_SID', { ...twilio, TWILIO_ACCOUNT_SID: 'mine' }],
  ];
  test.each(cases)('is refused because of %s', (name, env) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(name);
  });
});

const here = {
  GOOGLE_AUTH_URL: 'http://127.0.0.1:4000/auth',
  GOOGLE_TOKEN_URL: 'http://127.0.0.1:4000/token',
  GOOGLE_REVOKE_URL: 'http://127.0.0.1:4000/revoke',
  GMAIL_ROOT_URL: 'http://localhost:4000/',
  TWILIO_BASE_URL: 'http://127.0.0.1:4001',
};

test('the configuration is a sandbox only when configured, with all addresses on this machine', () => {
  expect(readConfig({}).sandbox).toBe(false);
  expect(readConfig({ SANDBOX: '1' }).sandbox).toBe(true);
  expect(readConfig({ ...google, ...twilio, ...here, SANDBOX: '1' }).sandbox).toBe(true);
});

describe('a sandbox with an address off this machine', () => {
  const cases: [string, NodeJS.ProcessEnv][] = [
    ['GOOGLE_TOKEN_URL', { ...google, ...here, GOOGLE_TOKEN_URL: '' }],
    ['GOOGLE_CERTS_URL', { ...google, ...push, ...here }],
    ['GMAIL_ROOT_URL', { ...google, ...here, GMAIL_ROOT_URL: 'https://gmail.googleapis.com' }],
    ['TWILIO_BASE_URL', twilio],
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'https://api.example.com/v1' }],
  ];
  test.each(cases)('is refused because of %s', (name, env) => {
    expect(() => readConfig({ ...env, SANDBOX: '1' })).toThrow(name);
  });
});
