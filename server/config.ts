import { existsSync } from 'node:fs';
import path from 'node:path';
import { GROUPS, type VariableName, type Variables, VariablesSchema } from './config.variables.ts';

export type Config = ReturnType<typeof readConfig>;
export type S3Config = NonNullable<Config['s3']>;
export type ModelConfig = NonNullable<Config['model']>;
export type MailConfig = NonNullable<Config['mail']>;
export type GoogleConfig = NonNullable<Config['google']>;
export type GooglePushConfig = NonNullable<GoogleConfig['push']>;
export type TwilioConfig = NonNullable<Config['twilio']>;

/** A variable with an invalid value. The message is one line that names the variable and the valid values. */
export class ConfigError extends Error {}

const MEBIBYTE = 1024 * 1024;
const GIGABYTE = 1e9;
/** Milliseconds to wait for a reply of Twilio. */
const TWILIO_TIMEOUT_MS = 10_000;
/** Milliseconds in which a scan must not have grown. */
const INBOX_SETTLE_MS = 5000;

/**
 * Reads the environment by `VariablesSchema`, which describes each variable; an empty variable counts as unset.
 * @throws ConfigError for the first invalid value
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const given = readVariables(env);
  requireGroups(given);
  const config = {
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL ?? `http://localhost:${given.PORT}`,
    allowedHosts: given.ALLOWED_HOSTS,
    trustProxy: given.TRUST_PROXY,
    dataDir: given.DATA_DIR,
    inbox: inbox(given),
    importDir: requireOutside(given, 'IMPORT_DIR'),
    soffice: given.SOFFICE_PATH ?? findOnPath('soffice', env['PATH']),
    tesseract: given.TESSERACT_PATH ?? findOnPath('tesseract', env['PATH']),
    backupKey: given.BACKUP_KEY,
    processes: given.PROCESSES,
    databaseUrl: given.DATABASE_URL,
    databasePrepared: given.DATABASE_PREPARED === '1',
    databaseListenUrl: given.DATABASE_LISTEN_URL,
    s3: s3(given),
    maxUploadBytes: given.MAX_UPLOAD_MB * MEBIBYTE,
    maxStorageBytes: given.MAX_STORAGE_GB && Math.floor(given.MAX_STORAGE_GB * GIGABYTE),
    secretKey: given.SECRET_KEY,
    registration: given.REGISTRATION ?? (isLocal(given) ? 'open' : 'approval'),
    isLocal: isLocal(given),
    mail:
      given.SMTP_URL && given.MAIL_FROM
        ? { url: given.SMTP_URL, from: given.MAIL_FROM }
        : undefined,
    model: model(given),
    aiUrl: given.AI_URL,
    google: google(given),
    twilio: twilio(given),
    sandbox: given.SANDBOX === '1',
    drainMilliseconds: given.DRAIN_SECONDS * 1000,
    metricsToken: given.METRICS_TOKEN,
    logLevel: given.LOG_LEVEL,
  };
  if (config.sandbox) requireLoopback(config, env);
  return config;
}

function readVariables(env: NodeJS.ProcessEnv): Variables {
  // Without an endpoint, a key in the shell's environment is ignored.
  const isIgnored = (name: string) =>
    !env['OPENAI_BASE_URL'] && ['OPENAI_API_KEY', 'CHAT_MODEL', 'EMBEDDING_MODEL'].includes(name);
  const given = Object.entries(env).filter(([name, value]) => value !== '' && !isIgnored(name));
  const read = VariablesSchema.safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalidValue(String(issue?.path[0]), String(issue?.message));
}

function invalidValue(name: string, what: string) {
  return new ConfigError(`${name} takes ${what}`);
}

function requireGroups(given: Variables) {
  for (const group of GROUPS) {
    const present = group.find((name) => given[name] !== undefined);
    const missing = group.find((name) => given[name] === undefined);
    if (present && missing) throw invalidValue(missing, `a value as soon as ${present} has one`);
  }
  if (given.GOOGLE_PUBSUB_TOPIC && !given.GOOGLE_CLIENT_ID)
    throw invalidValue('GOOGLE_CLIENT_ID', 'a value as soon as GOOGLE_PUBSUB_TOPIC has one');
  if (given.DATABASE_LISTEN_URL && !given.DATABASE_URL)
    throw invalidValue('DATABASE_URL', 'a value as soon as DATABASE_LISTEN_URL has one');
  if (given.DATABASE_URL && !given.SECRET_KEY)
    throw new ConfigError(
      'SECRET_KEY is required with DATABASE_URL: it takes 64 hexadecimal digits, the same for every process',
    );
}

/** Refuses addresses off this machine, because the pages of a sandbox promise that nothing leaves it. */
function requireLoopback({ google, twilio, ...config }: Config, env: NodeJS.ProcessEnv) {
  const addresses: [VariableName, string | undefined][] = [
    ['S3_ENDPOINT', config.s3?.endpoint],
    ['SMTP_URL', config.mail?.url],
    ['OPENAI_BASE_URL', config.model?.baseUrl],
    ['AI_URL', config.aiUrl],
    ['GOOGLE_AUTH_URL', google?.authUrl],
    ['GOOGLE_TOKEN_URL', google?.tokenUrl],
    ['GOOGLE_REVOKE_URL', google?.revokeUrl],
    ['GMAIL_ROOT_URL', google?.gmailRootUrl],
    ['GOOGLE_CERTS_URL', google?.push?.certsUrl],
    ['TWILIO_BASE_URL', twilio ? (twilio.baseUrl ?? 'https://api.twilio.com') : undefined],
  ];
  const outside = addresses.find(([name, used]) => {
    const url = used ?? env[name];
    return url && !isLoopback(new URL(url).hostname);
  });
  if (outside) throw invalidValue(outside[0], 'an address on this machine while SANDBOX is 1');
}

/** Whether only this machine can reach the server: no proxy is in front, and no other name leads here. */
function isLocal({ HOST, PUBLIC_URL, TRUST_PROXY }: Variables) {
  const isPublicHere = PUBLIC_URL === undefined || isLoopback(new URL(PUBLIC_URL).hostname);
  return TRUST_PROXY === 0 && isLoopback(HOST) && isPublicHere;
}

export function isLoopback(host: string) {
  return host === 'localhost' || /^(::1|\[::1\])$/.test(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** A program in one of the folders of the PATH. */
function findOnPath(name: string, folders = ''): string | undefined {
  return folders
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

function inbox(given: Variables) {
  const directory = requireOutside(given, 'INBOX_DIR');
  return directory === undefined ? undefined : { directory, rest: INBOX_SETTLE_MS };
}

function requireOutside(given: Variables, name: 'INBOX_DIR' | 'IMPORT_DIR'): string | undefined {
  const directory = given[name];
  if (directory === undefined) return undefined;
  const below = path.relative(given.DATA_DIR, directory);
  if (!below.startsWith('..') && !path.isAbsolute(below))
    throw invalidValue(name, 'a folder outside DATA_DIR');
  return directory;
}

function s3(given: Variables) {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = given;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined;
  return { endpoint, bucket, region: given.S3_REGION, accessKeyId, secretAccessKey };
}

function model(given: Variables) {
  if (!given.OPENAI_BASE_URL) return undefined;
  return {
    baseUrl: given.OPENAI_BASE_URL,
    apiKey: given.OPENAI_API_KEY,
    chatModel: given.CHAT_MODEL,
    embeddingModel: given.EMBEDDING_MODEL,
  };
}

function google(given: Variables) {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = given;
  const { GOOGLE_PUBSUB_TOPIC: topic, GOOGLE_PUBSUB_ACCOUNT: account } = given;
  if (!clientId || !clientSecret) return undefined;
  return {
    clientId,
    clientSecret,
    authUrl: given.GOOGLE_AUTH_URL,
    tokenUrl: given.GOOGLE_TOKEN_URL,
    revokeUrl: given.GOOGLE_REVOKE_URL,
    gmailRootUrl: given.GMAIL_ROOT_URL,
    waits: GOOGLE_TIMEOUTS_MS,
    push: topic && account ? { topic, account, certsUrl: given.GOOGLE_CERTS_URL } : undefined,
  };
}

function twilio(given: Variables) {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = given;
  if (!accountSid || !authToken) return undefined;
  return { accountSid, authToken, baseUrl: given.TWILIO_BASE_URL, timeoutMs: TWILIO_TIMEOUT_MS };
}

/** Timeouts and waits for Google, in milliseconds. */
export type GoogleTimeouts = {
  /** Timeouts of a read, a complete mail, a send and a sign-in call. */
  read: number;
  whole: number;
  send: number;
  signIn: number;
  /** Longest wait before the second try; it doubles for each further try. */
  again: number;
  /** Interval of the round that finds due mailboxes. */
  tick: number;
};

const GOOGLE_TIMEOUTS_MS: GoogleTimeouts = {
  read: 8000,
  whole: 45_000,
  send: 90_000,
  signIn: 8000,
  again: 250,
  tick: 5000,
};
