import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { buildApp } from '../app.ts';
import type { BlobStore } from '../integrations/blobs/blob-store.ts';
import { DiskBlobStore } from '../integrations/blobs/disk.ts';
import { readConfig, type Config } from '../config.ts';
import { openPool } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import type { FileService } from '../features/files/service.ts';
import type { GoogleWaits } from '../integrations/google/waits.ts';
import { createLog } from '../log.ts';
import { createClient, type Client } from './client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type TestApp = Client & {
  db: Database;
  files: FileService;
  pool: pg.Pool;
  database: TestDatabase;
  /** Where its files are, unless they were given to it. */
  filesDirectory: string;
  /** Each line of the log so far, parsed. */
  logLines: () => Record<string, unknown>[];
  /** What is done hourly for the mailboxes that Google tells of. */
  renewWatches: () => Promise<void>;
  /** A whole look of this process's at what Twilio knows and we do not. */
  lookAfterTexts: () => Promise<void>;
  /** This process's look into the mailboxes of those who are due and have a page open. */
  lookForMail: () => Promise<void>;
  close: () => Promise<void>;
};

export type TestAppOptions = {
  env?: Record<string, string>;
  /** Of another test application, which then is a second process of the same firm; it stays the other's to drop. */
  database?: TestDatabase;
  /** Whether it works on what is queued, which needs a database that answers. */
  jobs?: boolean;
  /** Where its files are; else in a new directory. */
  blobs?: BlobStore;
  /** Milliseconds, where others are not waited for as long as usual. */
  waits?: { google?: Partial<GoogleWaits>; twilio?: number };
};

/** The same for all, so that a second process opens what the first one has sealed. */
const SECRET_KEY = '5ea1'.repeat(16);

/** The real application on a database of its own and a free port. */
export async function startTestApp({
  env = {},
  database,
  jobs = true,
  blobs,
  waits,
}: TestAppOptions = {}): Promise<TestApp> {
  const own = database ?? (await createTestDatabase());
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const pool = openPool(own.connection, () => undefined);
  const listening = await countListeners(pool);
  const directory = await mkdtemp(path.join(tmpdir(), 'matterdesk-files-'));
  const config = withWaits(readConfig(env), waits);
  const { http, db, services, startJobs } = await buildApp({
    config,
    secretKey: config.secretKey ?? SECRET_KEY,
    pool,
    blobs: blobs ?? (await DiskBlobStore.open(directory)),
    log,
  });
  if (jobs) await startJobs();
  await http.listen({ host: '127.0.0.1', port: 0 });
  // Sockets that come before are hung up on, since they may have missed what other processes told.
  while ((await countListeners(pool)) === listening) await setImmediate();
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const client = createClient(url);
  return {
    ...client,
    db,
    files: services.files,
    pool,
    database: own,
    filesDirectory: directory,
    logLines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    renewWatches: () => services.mails.watching.renew(),
    lookAfterTexts: () => services.textKeeper.round({ isWhole: true }),
    lookForMail: () => services.mailJobs.look(),
    async close() {
      client.disconnect();
      await http.close();
      await pool.end();
      if (!database) await own.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function withWaits(
  { google, twilio, ...config }: Config,
  waits: TestAppOptions['waits'] = {},
): Config {
  return {
    ...config,
    google: google && { ...google, waits: { ...google.waits, ...waits.google } },
    twilio: twilio && { ...twilio, patience: waits.twilio ?? twilio.patience },
  };
}

/** How many connections to the database wait for notifications; NaN, which equals nothing, when it is away. */
async function countListeners(pool: pg.Pool): Promise<number> {
  const statement = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`;
  const rows = await pool.query<{ n: number }>(statement).then(
    (result) => result.rows,
    () => [],
  );
  return rows[0]?.n ?? Number.NaN;
}
