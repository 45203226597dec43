import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ConfigError,
  isLoopback,
  oneOf,
  pair,
  requireUrl,
  takes,
  wholeNumber,
} from './config.variables.ts';
import { GOOGLE_WAITS, type GoogleWaits } from './integrations/google/waits.ts';

export type RegistrationMode = 'open' | 'approval' | 'closed';

export type S3Config = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Any endpoint that speaks as OpenAI's does. */
export type ModelConfig = {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string | undefined;
  /** Absent: answers are the documents' own sentences. */
  chatModel: string | undefined;
  /** Absent: passages are ranked by their words alone. */
  embeddingModel: string | undefined;
};

/** The firm's own Google project. */
export type GoogleConfig = {
  clientId: string;
  clientSecret: string;
  /** Endpoints, each a whole address. */
  authUrl: string;
  tokenUrl: string;
  revokeUrl: string;
  /** Without a trailing slash. */
  gmailRootUrl: string;
  waits: GoogleWaits;
  /** Absent: mailboxes are looked into again and again. */
  push: GooglePushConfig | undefined;
};

/** How Google says by itself that there is new mail: through Pub/Sub. */
export type GooglePushConfig = {
  /** `projects/…/topics/…`. */
  topic: string;
  /** The service account in whose name Pub/Sub calls us. */
  account: string;
  /** Google's keys, by which it proves to be that. */
  certsUrl: string;
};

/** The firm's own Twilio account. */
export type TwilioConfig = {
  accountSid: string;
  authToken: string;
  /** Every host of Twilio's is mapped to it; absent: Twilio's own. */
  baseUrl: string | undefined;
  /** Milliseconds that Twilio has for an answer. */
  patience: number;
};

export type Config = {
  port: number;
  host: string;
  /** Origin without a trailing slash. */
  publicUrl: string;
  /** How many proxies in front may be believed about the client's address. */
  trustProxy: number;
  dataDir: string;
  /** Absent: the embedded database under `dataDir`. */
  databaseUrl: string | undefined;
  /** Absent: files stay below `dataDir`. */
  s3: S3Config | undefined;
  /** Bytes of one uploaded file. */
  maxUploadBytes: number;
  /** 64 hexadecimal digits; absent: made once and kept in `dataDir`. */
  secretKey: string | undefined;
  registration: RegistrationMode;
  /** Absent: nothing leaves this machine. */
  model: ModelConfig | undefined;
  /** Where browsers find the AI service, without a trailing slash; absent: on this origin. */
  aiUrl: string | undefined;
  /** Absent: no e-mail. */
  google: GoogleConfig | undefined;
  /** Absent: no text messages. */
  twilio: TwilioConfig | undefined;
  /** Says on every page that it is no real firm's, and that all it speaks to is on this machine. */
  sandbox: boolean;
  logLevel: string;
};

const CHECKOUT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const URLS = [
  'S3_ENDPOINT',
  'GOOGLE_AUTH_URL',
  'GOOGLE_TOKEN_URL',
  'GOOGLE_REVOKE_URL',
  'GOOGLE_CERTS_URL',
  'GMAIL_ROOT_URL',
  'TWILIO_BASE_URL',
  'OPENAI_BASE_URL',
  'AI_URL',
];
const MEBIBYTE = 1024 * 1024;

/**
 * Reads the variables of the environment; an empty one counts as unset.
 * @throws ConfigError on the first bad value
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const host = env['HOST'] || '127.0.0.1';
  if (/[\s/]/.test(host)) throw takes('HOST', 'a host name or an address to listen on');
  const port = wholeNumber(env, 'PORT', { otherwise: 3000, min: 1, max: 65_535 });
  const databaseUrl = postgresUrl(env);
  const secretKey = env['SECRET_KEY'] || undefined;
  if (secretKey !== undefined && !/^[0-9a-f]{64}$/i.test(secretKey))
    throw takes('SECRET_KEY', '64 hexadecimal digits');
  if (databaseUrl && !secretKey)
    throw new ConfigError(
      'SECRET_KEY is required with DATABASE_URL: it takes 64 hexadecimal digits, the same for every process',
    );
  for (const name of URLS) requireUrl(env, name);
  return {
    port,
    host,
    publicUrl: origin(env, `http://localhost:${port}`),
    trustProxy: wholeNumber(env, 'TRUST_PROXY', { otherwise: 0, min: 0, max: 100 }),
    dataDir: path.resolve(CHECKOUT, env['DATA_DIR'] || 'data'),
    databaseUrl,
    s3: s3(env),
    maxUploadBytes:
      wholeNumber(env, 'MAX_UPLOAD_MB', { otherwise: 512, min: 1, max: 1_000_000 }) * MEBIBYTE,
    secretKey,
    registration:
      oneOf(env, 'REGISTRATION', ['open', 'approval', 'closed'] as const) ??
      (isLoopback(host) ? 'open' : 'approval'),
    model: model(env),
    aiUrl: aiUrl(env),
    google: google(env),
    twilio: twilio(env),
    sandbox: sandbox(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
  };
}

function origin(env: NodeJS.ProcessEnv, otherwise: string) {
  const text = env['PUBLIC_URL'];
  if (!text) return otherwise;
  const what = 'an origin such as https://desk.example.com, without a path';
  if (!URL.canParse(text)) throw takes('PUBLIC_URL', what);
  const url = new URL(text);
  const isPlain = url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (!/^https?:$/.test(url.protocol) || !isPlain) throw takes('PUBLIC_URL', what);
  return url.origin;
}

function postgresUrl(env: NodeJS.ProcessEnv) {
  const text = env['DATABASE_URL'];
  if (!text) return undefined;
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw takes('DATABASE_URL', 'a connection string such as postgres://user:password@host/name');
  return text;
}

/** A host alone has the service where this one would: at /ai. */
function aiUrl(env: NodeJS.ProcessEnv): string | undefined {
  const text = env['AI_URL'] || '';
  if (text === '') return undefined;
  const { origin: host, pathname } = new URL(text);
  return host + (pathname === '/' ? '/ai' : pathname.replace(/\/+$/, ''));
}

/** Without an address the other three are left alone: a key lying about in a shell sends nothing anywhere. */
function model(env: NodeJS.ProcessEnv): ModelConfig | undefined {
  const baseUrl = env['OPENAI_BASE_URL'] || '';
  if (baseUrl === '') return undefined;
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl) || new URL(baseUrl).search)
    throw takes('OPENAI_BASE_URL', 'an address such as https://api.example.com/v1');
  const apiKey = env['OPENAI_API_KEY'] || undefined;
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw takes('OPENAI_API_KEY', 'a key of visible ASCII characters');
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey,
    chatModel: modelName(env, 'CHAT_MODEL'),
    embeddingModel: modelName(env, 'EMBEDDING_MODEL'),
  };
}

function modelName(env: NodeJS.ProcessEnv, name: string) {
  const text = env[name] || undefined;
  if (text !== undefined && !/^[\x21-\x7e]{1,200}$/.test(text))
    throw takes(name, 'the name of a model, without blanks');
  return text;
}

function google(env: NodeJS.ProcessEnv): GoogleConfig | undefined {
  const credentials = pair(env, 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET');
  const push = googlePush(env);
  if (!credentials && push)
    throw takes('GOOGLE_CLIENT_ID', 'a value as soon as GOOGLE_PUBSUB_TOPIC has one');
  if (!credentials) return undefined;
  return {
    clientId: credentials[0],
    clientSecret: credentials[1],
    authUrl: env['GOOGLE_AUTH_URL'] || 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: env['GOOGLE_TOKEN_URL'] || 'https://oauth2.googleapis.com/token',
    revokeUrl: env['GOOGLE_REVOKE_URL'] || 'https://oauth2.googleapis.com/revoke',
    gmailRootUrl: (env['GMAIL_ROOT_URL'] || 'https://gmail.googleapis.com').replace(/\/+$/, ''),
    waits: GOOGLE_WAITS,
    push,
  };
}

function googlePush(env: NodeJS.ProcessEnv): GooglePushConfig | undefined {
  const named = pair(env, 'GOOGLE_PUBSUB_TOPIC', 'GOOGLE_PUBSUB_ACCOUNT');
  if (!named) return undefined;
  const [topic, account] = named;
  // A project of a domain of its own is called domain.example:name.
  if (!/^projects\/[a-z][a-z0-9.:-]{4,99}\/topics\/[a-z][\w.~+%-]{2,254}$/i.test(topic))
    throw takes(
      'GOOGLE_PUBSUB_TOPIC',
      'the full name of a topic: projects/<project>/topics/<topic>',
    );
  if (!/^[^@\s]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(account))
    throw takes(
      'GOOGLE_PUBSUB_ACCOUNT',
      'the address of a service account, such as push@project.iam.gserviceaccount.com',
    );
  const certsUrl = env['GOOGLE_CERTS_URL'] || 'https://www.googleapis.com/oauth2/v1/certs';
  return { topic, account, certsUrl };
}

function twilio(env: NodeJS.ProcessEnv): TwilioConfig | undefined {
  const credentials = pair(env, 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN');
  if (!credentials) return undefined;
  const [accountSid, authToken] = credentials;
  if (!/^AC[0-9a-z]{1,64}$/i.test(accountSid))
    throw takes('TWILIO_ACCOUNT_SID', 'the SID of an account, which begins with AC');
  return {
    accountSid,
    authToken,
    baseUrl: env['TWILIO_BASE_URL']?.replace(/\/+$/, '') || undefined,
    patience: 10_000,
  };
}

/** What its pages promise is held at the start: no address that leads away. */
function sandbox(env: NodeJS.ProcessEnv): boolean {
  if (oneOf(env, 'SANDBOX', ['0', '1'] as const) !== '1') return false;
  const isAsked = (name: string) =>
    name === 'GOOGLE_CERTS_URL' ? env['GOOGLE_PUBSUB_TOPIC'] : env['GOOGLE_CLIENT_ID'];
  const used = URLS.filter((name) => env[name] || (/^GO|^GM/.test(name) && isAsked(name)));
  if (env['TWILIO_ACCOUNT_SID']) used.push('TWILIO_BASE_URL');
  const away = used.find((name) => !env[name] || !isLoopback(new URL(env[name]).hostname));
  if (away) throw takes(away, 'an address on this machine while SANDBOX is 1');
  return true;
}

/** All of them or none: half a configuration would lose files. */
function s3(env: NodeJS.ProcessEnv): S3Config | undefined {
  const endpoint = env['S3_ENDPOINT'] || '';
  const bucket = env['S3_BUCKET'] || '';
  const accessKeyId = env['S3_ACCESS_KEY_ID'] || '';
  const secretAccessKey = env['S3_SECRET_ACCESS_KEY'] || '';
  const given = Object.entries({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  if (given.every(([, value]) => value === '')) return undefined;
  const missing = given.find(([, value]) => value === '')?.[0];
  if (missing) throw takes(missing, 'a value as soon as another S3_ variable has one');
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw takes('S3_ENDPOINT', 'an address such as https://s3.example.com');
  return {
    endpoint,
    bucket,
    region: env['S3_REGION'] || 'us-east-1',
    accessKeyId,
    secretAccessKey,
  };
}
