import { availableParallelism } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const KEY = '0123456789abcdef'.repeat(4);
const CHECKOUT = path.resolve(import.meta.dirname, '..');

test('the configuration does not require any variable', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    allowedHosts: [],
    trustProxy: 0,
    dataDir: path.join(CHECKOUT, 'data'),
    databaseUrl: undefined,
    databasePrepared: true,
    processes: 1,
    s3: undefined,
    maxUploadBytes: 512 * 1024 * 1024,
    model: undefined,
    secretKey: undefined,
    registration: 'open',
    isLocal: true,
    databaseListenUrl: undefined,
    drainMilliseconds: 0,
    sandbox: false,
    metricsToken: undefined,
    logLevel: 'info',
  });
});

test.each([
  ['https://ai.example', 'https://ai.example/ai'],
  ['https://ai.example:9000/', 'https://ai.example:9000/ai'],
  ['https://desk.example/assistant/', 'https://desk.example/assistant'],
  ['', undefined],
])('the configuration finds the AI service of AI_URL=%s at %s', (text, found) => {
  expect(readConfig({ AI_URL: text }).aiUrl).toBe(found);
});

test('the configuration starts as many processes as the machine has cores by PROCESSES=auto', () => {
  expect(readConfig({ PROCESSES: 'auto' }).processes).toBe(availableParallelism());
});

test('the configuration accepts every variable', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://desk.example.com/',
    TRUST_PROXY: '2',
    DATA_DIR: '/srv/desk',
    DATABASE_URL: 'postgresql://desk:secret@db.example/desk?sslmode=require',
    DATABASE_PREPARED: '0',
    PROCESSES: '4',
    DATABASE_LISTEN_URL: 'postgresql://desk:secret@primary.example/desk',
    DRAIN_SECONDS: '5',
    SECRET_KEY: KEY.toUpperCase(),
    REGISTRATION: 'closed',
    LOG_LEVEL: 'warn',
    MAX_UPLOAD_MB: '1',
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'desk',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    AI_URL: 'http://ai.example:9000/ai',
  });
  expect(config).toEqual({
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'https://desk.example.com',
    allowedHosts: [],
    trustProxy: 2,
    dataDir: '/srv/desk',
    databaseUrl: 'postgresql://desk:secret@db.example/desk?sslmode=require',
    databasePrepared: false,
    processes: 4,
    databaseListenUrl: 'postgresql://desk:secret@primary.example/desk',
    drainMilliseconds: 5000,
    s3: {
      endpoint: 'https://s3.example',
      bucket: 'desk',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    },
    maxUploadBytes: 1024 * 1024,
    model: undefined,
    aiUrl: 'http://ai.example:9000/ai',
    secretKey: KEY.toUpperCase(),
    registration: 'closed',
    isLocal: false,
    sandbox: false,
    metricsToken: undefined,
    logLevel: 'warn',
  });
});

test('the configuration treats an empty variable as unset', () => {
  const names = [
    'PORT',
    'HOST',
    'PUBLIC_URL',
    'TRUST_PROXY',
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_PREPARED',
    'SECRET_KEY',
  ];
  const more = ['REGISTRATION', 'LOG_LEVEL', 'MAX_UPLOAD_MB', 'S3_ENDPOINT', 'AI_URL'];
  const empty = Object.fromEntries([...names, ...more].map((name) => [name, '']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test.each([
  ['data/of mine', path.join(CHECKOUT, 'data/of mine')],
  ['../beside', path.resolve(CHECKOUT, '../beside')],
  ['/srv/Ünïcode 🗂️', '/srv/Ünïcode 🗂️'],
])(
  'the configuration resolves a relative DATA_DIR from the checkout, in any working directory: %s',
  (given, dataDir) => {
    expect(readConfig({ DATA_DIR: given })).toMatchObject({ dataDir });
  },
);

test('the configuration uses PORT in the public address', () => {
  expect(readConfig({ PORT: '8080' })).toMatchObject({ publicUrl: 'http://localhost:8080' });
});

test.each([
  ['127.0.0.1', 'open'],
  ['127.9.9.9', 'open'],
  ['localhost', 'open'],
  ['::1', 'open'],
  ['0.0.0.0', 'approval'],
  ['::', 'approval'],
  ['192.168.1.5', 'approval'],
  ['desk.example.com', 'approval'],
  ['127.0.0.1.example.com', 'approval'],
])('on %s registration is %s by default', (HOST, registration) => {
  expect(readConfig({ HOST })).toMatchObject({ registration });
  expect(readConfig({ HOST, REGISTRATION: 'closed' })).toMatchObject({ registration: 'closed' });
});

test.each([
  [{ PUBLIC_URL: 'http://localhost:8080' }, 'open'],
  [{ PUBLIC_URL: 'http://[::1]:3000' }, 'open'],
  [{ PUBLIC_URL: 'https://desk.example.com' }, 'approval'],
  [{ TRUST_PROXY: '1' }, 'approval'],
  [{ PUBLIC_URL: 'https://desk.example.com', TRUST_PROXY: '1' }, 'approval'],
])('with %j registration is %s by default', (env, registration) => {
  expect(readConfig(env)).toMatchObject({ registration, isLocal: registration === 'open' });
});

describe('an invalid value is refused in one line that names the variable and its values:', () => {
  const wholeNumber = (min: number, max: number) => `takes a whole number from ${min} to ${max}`;
  const url = 'takes an address such as https://service.example.com';

  test.each([
    ...['0', '65536', '-1', '3000.5', '1e3', 'http', '0x50', ' 80', '80\n'].map((bad) => [
      'PORT',
      bad,
      wholeNumber(1, 65_535),
    ]),
    ...['a b', 'http://x', 'a/b', 'x\ny'].map((bad) => [
      'HOST',
      bad,
      'takes a host name or an address to listen on',
    ]),
    ...[
      'localhost',
      'ftp://x',
      'https://x/desk',
      'https://x?a=1',
      'https://x#a',
      'https://u:p@x',
      'http://',
      'x:y',
    ].map((bad) => [
      'PUBLIC_URL',
      bad,
      'takes an origin such as https://desk.example.com, without a path',
    ]),
    ...['-1', '101', 'true', 'loopback', '1.5'].map((bad) => [
      'TRUST_PROXY',
      bad,
      wholeNumber(0, 100),
    ]),
    ...['mysql://x/y', 'desk', 'postgres//x', 'postgres://x:port/y', '/run/postgresql'].map(
      (bad) => [
        'DATABASE_URL',
        bad,
        'takes a connection string such as postgres://user:password@host/name',
      ],
    ),
    ...['secret', KEY.slice(1), `${KEY}0`, KEY.replace('0', 'g'), ` ${KEY}`].map((bad) => [
      'SECRET_KEY',
      bad,
      'takes 64 hexadecimal digits',
    ]),
    ...['Open', 'invite', 'true', 'open '].map((bad) => [
      'REGISTRATION',
      bad,
      'takes one of open, approval, closed',
    ]),
    ...['loud', 'INFO', '30'].map((bad) => [
      'LOG_LEVEL',
      bad,
      'takes one of trace, debug, info, warn, error, fatal, silent',
    ]),
    ...['0', '-5', '1000001', '10MB', 'unlimited'].map((bad) => [
      'MAX_UPLOAD_MB',
      bad,
      wholeNumber(1, 1_000_000),
    ]),
    ...['0', '0.0', '-1', '1,5', '.5', '10GB', '1e3'].map((bad) => [
      'MAX_STORAGE_GB',
      bad,
      'takes a number of gigabytes such as 500 or 0.5',
    ]),
    ...[
      'S3_ENDPOINT',
      'GOOGLE_AUTH_URL',
      'GOOGLE_TOKEN_URL',
      'GOOGLE_REVOKE_URL',
      'GMAIL_ROOT_URL',
      'TWILIO_BASE_URL',
      'OPENAI_BASE_URL',
      'AI_URL',
    ].flatMap((name) =>
      ['service', 'ftp://x', 'https://', '//x', 'https://a b'].map((bad) => [name, bad, url]),
    ),
  ] as [string, string, string][])('%s=%j', (name, bad, what) => {
    const read = () => readConfig({ SECRET_KEY: KEY, [name]: bad });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} ${what.replaceAll('.', '\\.')}$`));
  });

  test('a DATABASE_LISTEN_URL without DATABASE_URL', () => {
    const read = () => readConfig({ DATABASE_LISTEN_URL: 'postgres://desk@db.example/desk' });
    expect(read).toThrow('DATABASE_URL takes a value as soon as DATABASE_LISTEN_URL has one');
  });

  test('a DATABASE_URL without SECRET_KEY', () => {
    const read = () => readConfig({ DATABASE_URL: 'postgres://desk@db.example/desk' });
    expect(read).toThrow(
      /^SECRET_KEY is required with DATABASE_URL: [^\n]*64 hexadecimal digits[^\n]*$/,
    );
  });
});

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
  expect(readConfig(twilio).twilio?.timeoutMs).toBe(10_000);
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

const MODEL_URL = 'http://127.0.0.1:4000/v1';

test('the configuration ignores a model without an address', () => {
  expect(readConfig({ OPENAI_API_KEY: 'k', CHAT_MODEL: 'm' }).model).toBeUndefined();
  expect(readConfig({ OPENAI_BASE_URL: '', CHAT_MODEL: 'm' }).model).toBeUndefined();
});

test('the configuration accepts an endpoint with its models', () => {
  const env = { OPENAI_BASE_URL: `${MODEL_URL}/`, OPENAI_API_KEY: 'k', CHAT_MODEL: 'org/model:7b' };
  expect(readConfig(env).model).toEqual({
    baseUrl: MODEL_URL,
    apiKey: 'k',
    chatModel: 'org/model:7b',
    embeddingModel: undefined,
  });
});

test.each([
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'example.com' }],
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'ftp://example.com' }],
  ['OPENAI_API_KEY', { OPENAI_BASE_URL: MODEL_URL, OPENAI_API_KEY: 'a key\n' }],
  ['CHAT_MODEL', { OPENAI_BASE_URL: MODEL_URL, CHAT_MODEL: 'two words' }],
  ['EMBEDDING_MODEL', { OPENAI_BASE_URL: MODEL_URL, EMBEDDING_MODEL: 'x'.repeat(201) }],
])(
  'the configuration refuses an invalid %s in one line that names it',
  (name, env: NodeJS.ProcessEnv) => {
    const refuse = () => readConfig(env);
    expect(refuse).toThrow(ConfigError);
    expect(refuse).toThrow(new RegExp(`^${name} takes [^\\n]+$`));
  },
);
