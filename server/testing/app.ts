import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { actionWords, entityWords, wholeActWords } from '@matterdesk/contract/audit-acts.ts';
import { fieldWords } from '@matterdesk/contract/audit-words.ts';
import { recurringJobs } from '../app.jobs.ts';
import { buildApp } from '../app.ts';
import { readConfig, type Config, type GoogleTimeouts } from '../config.ts';
import type { Context } from '../context.ts';
import { openPool } from '../db/connect.ts';
import type { Scoped } from '../db/schema.ts';
import { SYSTEM } from '../db/scoped-query.ts';
import { fieldsOf } from '../features/audit/rules.ts';
import { raiseAlerts } from '../features/conflicts/alerts/service.ts';
import { eraseDueIntakes } from '../features/intakes/erasure/service.ts';
import { readCorrespondents } from '../features/mails/correspondents/service.ts';
import { checkMail } from '../features/mails/jobs.ts';
import { renewWatches } from '../features/mails/push/service.ts';
import { catchUpOnTexts } from '../features/messages/jobs.ts';
import type { BlobStore } from '../integrations/blobs/blob-store.ts';
import { DiskBlobStore } from '../integrations/blobs/disk.ts';
import { Pace } from '../jobs/pace.ts';
import type { RecurringJob } from '../jobs/queue.ts';
import { createLog } from '../log.ts';
import { createClient, type Client } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';

export type TestApp = Client & {
  /** As the server itself, which sees every matter. */
  db: Scoped;
  context: Context;
  /** Sees every matter. */
  pool: pg.Pool;
  database: TestDatabase;
  /** Directory of its files, unless given. */
  filesDirectory: string;
  /** Log lines so far, parsed. */
  logLines: () => Record<string, unknown>[];
  /** The hourly renewal of Google's watches. */
  renewWatches: () => Promise<void>;
  /** A complete comparison of our texts with Twilio's records. */
  runMessageJobs: () => Promise<void>;
  /** Raises what is due by the database's clock; the round that does so every few seconds is off in tests. */
  raiseNotices: () => Promise<void>;
  /** The daily rounds that complete what came without the product. */
  completeRows: () => Promise<void>;
  /** Counts the words of new names. */
  countNames: () => Promise<void>;
  /** The daily search for cases without a limitation. */
  importLimitations: () => Promise<void>;
  /** Writes the digests of a day that is due; off in tests too. */
  raiseDigests: () => Promise<void>;
  /** Checks new matters, and reports what new names meet. */
  raiseAlerts: () => Promise<void>;
  /** Ends openings of walled matters whose time is over. */
  endOpenings: () => Promise<void>;
  /** The hourly erasure of intakes. */
  eraseIntakes: () => Promise<void>;
  /** This process's round over due mailboxes whose owners have a page open. */
  checkMail: () => Promise<void>;
  /** Reads on in the mailboxes that are due. */
  readCorrespondents: () => Promise<void>;
  close: () => Promise<void>;
};

export type TestAppOptions = {
  env?: Record<string, string>;
  /** Database of another test application, making this a second process of that firm; the other drops it. */
  database?: TestDatabase;
  /** Whether it works on the queue, which requires a responsive database. */
  jobs?: boolean;
  /** Whether what is done every minute, or every hour, is done beside the tests, which is most of a start. */
  rounds?: boolean;
  /** Directory of its files; default a new one. */
  blobs?: BlobStore;
  /** Shorter waits for other services, in milliseconds. */
  waits?: { google?: Partial<GoogleTimeouts>; twilio?: number };
};

/** Shared, so that a second process can decrypt what the first one encrypted. */
const SECRET_KEY = '5ea1'.repeat(16);

/** The real application on its own database and a free port. */
export async function startTestApp({
  env = {},
  database,
  jobs = true,
  rounds = false,
  blobs,
  waits,
}: TestAppOptions = {}): Promise<TestApp> {
  const own = database ?? (await createTestDatabase());
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const pool = openPool(own.connection, () => undefined);
  // Tests look at every matter.
  const options = `-c matterdesk.actor=${SYSTEM}`;
  const seeing = openPool({ ...own.connection, options }, () => undefined);
  const earlier = await findListeners(pool);
  const directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-files-'));
  const config = withWaits(readTestConfig({ DATA_DIR: directory, ...env }), waits);
  const { http, db, context, startJobs } = await buildApp({
    config,
    secretKey: config.secretKey ?? SECRET_KEY,
    pool,
    listening: pool,
    blobs: blobs ?? (await DiskBlobStore.open(directory)),
    log,
  });
  const all = recurringJobs(context).map(({ name }) => name);
  if (jobs) await startJobs(rounds ? ['notices', 'digests'] : all);
  await http.listen({ host: '127.0.0.1', port: 0 });
  // Earlier sockets are disconnected, since they may have missed events of other processes.
  while (!(await hasNewListener(pool, earlier))) await setImmediate();
  if (jobs && !rounds) await eventually(() => expectFirstRoundsOver(pool));
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const client = createClient(url);
  return {
    ...client,
    socket: (token) => openLateSocket(client, context, token),
    db: db.asSystem('tests'),
    context,
    pool: seeing,
    database: own,
    filesDirectory: directory,
    logLines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    ...runsOf(context),
    async close() {
      client.disconnect();
      await http.close();
      const unknown = await findUnknownWords(seeing);
      await pool.end();
      await seeing.end();
      if (!database) await own.drop();
      await rm(directory, { recursive: true, force: true });
      if (unknown.length > 0)
        throw new Error(`contract/audit-words.ts has no words for ${unknown.join(', ')}`);
    },
  };
}

/** Events are sent after their replies: those of earlier calls do not reach this socket. */
async function openLateSocket(client: Client, { realtime }: Context, token: string) {
  await realtime.drain();
  await setImmediate();
  return client.socket(token);
}

/** Rounds and checks that a test runs by itself. */
function runsOf(context: Context) {
  const { signal } = new AbortController();
  return {
    renewWatches: () => renewWatches(context),
    runMessageJobs: () => catchUpOnTexts(context, { isWhole: true }),
    raiseNotices: () => raise(recurringJobs(context), 'notices'),
    completeRows: async () => {
      const lasting = recurringJobs(context).filter(({ isLongRunning }) => isLongRunning);
      for (const { name } of lasting) await raise(lasting, name);
    },
    countNames: () => raise(recurringJobs(context), 'name-words'),
    importLimitations: () => raise(recurringJobs(context), 'limitations'),
    raiseDigests: () => raise(recurringJobs(context), 'digests'),
    // Without rests after the requests of the test.
    raiseAlerts: () => raiseAlerts({ ...context, pace: new Pace(async () => false) }, { signal }),
    endOpenings: () => raise(recurringJobs(context), 'access'),
    eraseIntakes: () => eraseDueIntakes(context),
    readCorrespondents: () => readCorrespondents(context, { signal }),
    checkMail: () => checkMail(context),
  };
}

/** Unless a test names REGISTRATION, anyone registers without limit, whatever the other variables. */
function readTestConfig(env: Record<string, string>): Config {
  if ('REGISTRATION' in env) return readConfig(env);
  return { ...readConfig({ ...env, REGISTRATION: 'open' }), isLocal: true };
}

function withWaits(
  { google, twilio, ...config }: Config,
  waits: TestAppOptions['waits'] = {},
): Config {
  return {
    ...config,
    google: google && { ...google, waits: { ...google.waits, ...waits.google } },
    twilio: twilio && { ...twilio, timeoutMs: waits.twilio ?? twilio.timeoutMs },
  };
}

/** Process ids of the connections that listen for notifications; undefined when the database is away. */
async function findListeners(pool: pg.Pool): Promise<number[] | undefined> {
  const statement = `select pid from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`;
  return pool.query<{ pid: number }>(statement).then(
    ({ rows }) => rows.map(({ pid }) => pid),
    () => undefined,
  );
}

/**
 * Told by process ids, not by a count: a listener of an application that has just closed may still end.
 * @returns true also where the database is away
 */
async function hasNewListener(pool: pg.Pool, earlier: number[] | undefined): Promise<boolean> {
  const now = await findListeners(pool);
  return now === undefined || !earlier || now.some((pid) => !earlier.includes(pid));
}

/**
 * A start begins a round of each kind at once: those of mailboxes and texts would send their requests in the midst of a
 * test, and take the faults that it has prepared. @throws while one waits or runs
 */
async function expectFirstRoundsOver(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select from jobs.job where state <= 'active' and data->>'isFirst' = 'true'`,
  );
  if (rows.length > 0) throw new Error('the first round of a start is under way');
}

async function raise(jobs: RecurringJob[], called: string): Promise<void> {
  const job = jobs.find(({ name }) => name === called);
  await job?.run({ signal: new AbortController().signal, isFirst: false });
}

export type Prepare<Given = TestApp> = (given: Given) => Promise<object>;
type Prepared<T extends Record<string, Prepare<never>>> = {
  [Name in keyof T]: Awaited<ReturnType<T[Name]>>;
};

/** Objects that are empty until `fill` prepares them, in their order. */
export function preparedBy<Given, T extends Record<string, Prepare<Given>>>(prepare: T) {
  const prepared = Object.fromEntries(Object.keys(prepare).map((name) => [name, {}]));
  const fill = async (given: Given) => {
    for (const [name, make] of Object.entries(prepare))
      Object.assign(prepared[name] ?? {}, await make(given));
  };
  return { prepared: prepared as Prepared<T>, fill };
}

/**
 * An application for all tests of a file, and what they share in it, such as people, prepared in the given order.
 * All of it is empty until the first hook or test runs, and the application closes after the last.
 */
export function suite<T extends Record<string, Prepare>>(
  prepare: T,
  options?: TestAppOptions,
): Prepared<T> & { app: TestApp } {
  const app = {} as TestApp;
  const { prepared, fill } = preparedBy<TestApp, T>(prepare);
  beforeAll(async () => {
    Object.assign(app, await startTestApp(options));
    await fill(app);
  });
  afterAll(() => app.close());
  return { ...prepared, app };
}

type Audited = { entity: string; action: string; state: unknown };

/** Each entity's acts, and one value of each of its fields and kinds of value. */
const AUDITED = `
  select distinct on (entity, action, key, jsonb_typeof(value), members) entity, action,
    jsonb_strip_nulls(jsonb_build_object(coalesce(key, ''), value)) as state
  from (
    select entity, action, before as state from audit_log
    union all select entity, action, after from audit_log) as states
  left join lateral jsonb_each(case when jsonb_typeof(state) = 'object' then state end)
    as field (key, value) on true
  cross join lateral (select case when key = 'members' then value::text end as members) as listed`;

/** Acts and fields audited so far that readers get no words for; `contract/audit-words.ts` has to name them. */
export async function findUnknownWords(pool: pg.Pool): Promise<string[]> {
  // Some tests end with the database away.
  const found = await pool.query<Audited>(AUDITED).catch(() => undefined);
  return [...new Set(found?.rows.flatMap(unknownIn))];
}

function unknownIn({ entity, action, state }: Audited): string[] {
  const isKnown = entity in entityWords && (action in actionWords || action in wholeActWords);
  const fields = fieldsOf(entity, state).filter((field) => field !== '');
  return [
    ...(isKnown ? [] : [`${entity} ${action}`]),
    ...fields
      .filter((field) => fieldWords[entity]?.[field] === undefined)
      .map((field) => `${entity}.${field}`),
  ];
}
