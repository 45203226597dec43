import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { registrationModes } from '@matterdesk/contract/registration.ts';

// Each message completes the line "<variable> takes …" of the error that stops the start.

const CHECKOUT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const MAX_PROCESSES = 64;
const GIGABYTES = 'a number of gigabytes such as 500 or 0.5';

const text = z.string().optional();

function matching(pattern: RegExp, what: string) {
  return z.string().regex(pattern, what).optional();
}

const credential = matching(/^[\x21-\x7e]+$/, 'visible ASCII characters');
const modelName = matching(/^[\x21-\x7e]{1,200}$/, 'the name of a model, without blanks');

function oneOf<const Word extends string>(...words: Word[]) {
  return z.enum(words, `one of ${words.join(', ')}`);
}

function wholeNumber(min: number, max: number) {
  const what = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, what)
    .transform(Number)
    .pipe(z.number().min(min, what).max(max, what));
}

function isUrl(value: string) {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

const address = z.string().refine(isUrl, 'an address such as https://service.example.com');

const connectionString = z
  .string()
  .refine(
    (value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
    'a connection string such as postgres://user:password@host/name',
  );

function isOrigin(value: string) {
  if (!isUrl(value)) return false;
  const { pathname, search, hash, username } = new URL(value);
  return pathname === '/' && !search && !hash && !username;
}

/** An address without a path means /ai, as on this server. */
function toAiUrl(value: string) {
  const { origin, pathname } = new URL(value);
  return origin + (pathname === '/' ? '/ai' : withoutSlash(pathname));
}

function withoutSlash(value: string) {
  return value.replace(/(?<!\/)\/+$/, '');
}

/** Every environment variable of the product. */
export const VariablesSchema = z.object({
  /** The port to listen on. */
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[^\s/]+$/, 'a host name or an address to listen on')
    .default('127.0.0.1'),
  /** The origin that users enter in the browser. */
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'an origin such as https://desk.example.com, without a path')
    .transform((value) => new URL(value).origin)
    .optional(),
  /** Further names that this server answers to, separated by commas. */
  ALLOWED_HOSTS: z
    .string()
    .regex(
      /^[a-z0-9.-]+(\s*,\s*[a-z0-9.-]+)*$/i,
      'names of hosts such as desk.example.com, separated by commas',
    )
    .transform((value) => value.toLowerCase().split(/(?<!\s)\s*,\s*/))
    .default([]),
  /** The server that sends the system's own mail, and its sender. */
  SMTP_URL: z
    .string()
    .refine(
      (value) => /^smtps?:\/\/[^/]/i.test(value) && URL.canParse(value),
      'an address such as smtps://user:password@mail.example.com',
    )
    .optional(),
  MAIL_FROM: matching(
    /^([^<>\r\n]+ )?<?[\x21-\x3b\x3d\x3f\x41-\x7e]+@[a-z0-9.-]+>?$/i,
    'a sender such as Matterdesk <desk@firm.example>',
  ),
  /** Number of proxies in front that are trusted to report the client's address. */
  TRUST_PROXY: wholeNumber(0, 100).default(0),
  /** Holds the embedded database, the files and the generated secret; a relative path starts at the checkout. */
  DATA_DIR: z
    .string()
    .default('data')
    .transform((value) => path.resolve(CHECKOUT, value)),
  /** The folder into which the office's scanner writes; a relative path starts at the checkout. */
  INBOX_DIR: z
    .string()
    .transform((value) => path.resolve(CHECKOUT, value))
    .optional(),
  /** The folder below which an administrator may name exports to import; a relative path starts at the checkout. */
  IMPORT_DIR: z
    .string()
    .transform((value) => path.resolve(CHECKOUT, value))
    .optional(),
  /** The program of LibreOffice that makes PDFs; `soffice` on the PATH without it. */
  SOFFICE_PATH: z
    .string()
    .transform((value) => path.resolve(CHECKOUT, value))
    .optional(),
  /** The program of tesseract that reads scans; `tesseract` on the PATH without it. */
  TESSERACT_PATH: z
    .string()
    .transform((value) => path.resolve(CHECKOUT, value))
    .optional(),
  /** A file with the passphrase that encrypts backups; a relative path starts at the checkout. */
  BACKUP_KEY: z
    .string()
    .transform((value) => path.resolve(CHECKOUT, value))
    .optional(),
  /** Number of processes on this machine that serve the port together. */
  PROCESSES: z
    .union(
      [z.literal('auto').transform(() => availableParallelism()), wholeNumber(1, MAX_PROCESSES)],
      `auto, or a whole number from 1 to ${MAX_PROCESSES}`,
    )
    .default(1),
  /** A PostgreSQL to use instead of the embedded one. */
  DATABASE_URL: connectionString.optional(),
  /** 0 for a connection pooler that cannot carry prepared statements, such as PgBouncer before 1.21. */
  DATABASE_PREPARED: oneOf('0', '1').default('1'),
  /** The same database past a pooler that gives no client a session of its own, to listen for notifications. */
  DATABASE_LISTEN_URL: connectionString.optional(),
  /** Encrypts third-party tokens; generated once and stored in DATA_DIR when unset. */
  SECRET_KEY: matching(/^[0-9a-f]{64}$/i, '64 hexadecimal digits'),
  /** Registration mode; when unset, open while only this machine reaches the server, else approval. */
  REGISTRATION: oneOf(...registrationModes).optional(),
  /** 1 labels every page as a sandbox, and requires every address to be on this machine. */
  SANDBOX: oneOf('0', '1').default('0'),
  /** Seconds from a stop signal, with /readyz refusing, until the server stops. */
  DRAIN_SECONDS: wholeNumber(0, 300).default(0),
  /** Opens /metrics to programs on other machines, as a bearer token. */
  METRICS_TOKEN: credential,
  /** The least severe level that is logged. */
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  /** Largest uploaded file, in mebibytes. */
  MAX_UPLOAD_MB: wholeNumber(1, 1_000_000).default(512),
  /** All stored files together, in gigabytes of 10^9 bytes. */
  MAX_STORAGE_GB: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, GIGABYTES)
    .transform(Number)
    .pipe(z.number().positive(GIGABYTES))
    .optional(),
  /** An S3 store for the files, instead of DATA_DIR. */
  S3_ENDPOINT: address.optional(),
  S3_BUCKET: text,
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  /** Any endpoint compatible with OpenAI's; when unset, nothing leaves this machine. */
  OPENAI_BASE_URL: address
    .refine((value) => !value.includes('?'), 'an address such as https://api.example.com/v1')
    .transform(withoutSlash)
    .optional(),
  OPENAI_API_KEY: matching(/^[\x21-\x7e]+$/, 'a key of visible ASCII characters'),
  /** Writes the answers; when unset, answers quote the documents. */
  CHAT_MODEL: modelName,
  /** Compares passages by meaning; when unset, by their words alone. */
  EMBEDDING_MODEL: modelName,
  /** Address of the AI service for browsers; when unset, on this origin. */
  AI_URL: address.transform(toAiUrl).optional(),
  /** The firm's own Google project, for email. */
  GOOGLE_CLIENT_ID: credential,
  GOOGLE_CLIENT_SECRET: credential,
  /** The topic on which Google announces new mail; when unset, mailboxes are polled. */
  GOOGLE_PUBSUB_TOPIC: matching(
    // A project in a domain is named domain.example:name.
    /^projects\/[a-z][a-z0-9.:-]{4,99}\/topics\/[a-z][\w.~+%-]{2,254}$/i,
    'the full name of a topic: projects/<project>/topics/<topic>',
  ),
  /** The service account that authenticates calls from Pub/Sub. */
  GOOGLE_PUBSUB_ACCOUNT: matching(
    /^[\x21-\x3f\x41-\x7e]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i,
    'the address of a service account, such as push@project.iam.gserviceaccount.com',
  ),
  /** Addresses of Google and Twilio, to replace them in tests; keys at GOOGLE_CERTS_URL verify calls from Pub/Sub. */
  GOOGLE_AUTH_URL: address.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: address.default('https://oauth2.googleapis.com/token'),
  GOOGLE_REVOKE_URL: address.default('https://oauth2.googleapis.com/revoke'),
  GOOGLE_CERTS_URL: address.default('https://www.googleapis.com/oauth2/v1/certs'),
  GMAIL_ROOT_URL: address.transform(withoutSlash).default('https://gmail.googleapis.com'),
  TWILIO_BASE_URL: address.transform(withoutSlash).optional(),
  /** The firm's own Twilio account, for texts. */
  TWILIO_ACCOUNT_SID: matching(
    /^AC[0-9a-z]{1,64}$/i,
    'the SID of an account, which begins with AC',
  ),
  TWILIO_AUTH_TOKEN: credential,
});
export type Variables = z.infer<typeof VariablesSchema>;
export type VariableName = keyof Variables;

/** All or none of each group must be set, because a partial configuration would lose files, mails or texts. */
export const GROUPS: VariableName[][] = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GOOGLE_PUBSUB_TOPIC', 'GOOGLE_PUBSUB_ACCOUNT'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
];
