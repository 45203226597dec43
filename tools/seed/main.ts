import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { sql } from 'kysely';
import { readConfig, type Config } from '@matterdesk/server/config.ts';
import { openDataDirectory } from '@matterdesk/server/data-directory.ts';
import { openDatabase, openPool, UNLIMITED } from '@matterdesk/server/db/connect.ts';
import { startEmbeddedPostgres } from '@matterdesk/server/db/embedded/start.ts';
import { migrate } from '@matterdesk/server/db/migrate.ts';
import type { Database } from '@matterdesk/server/db/schema.ts';
import type { UserRow } from '@matterdesk/server/features/accounts/store.ts';
import { count, runCommand, say } from '@matterdesk/server/operations/command.ts';
import { finishSwap } from '@matterdesk/server/operations/swap.ts';
import { seedFirm } from './firm.ts';
import { readSeedOptions } from './options.ts';

const PASSWORD_BYTES = 12;

await runCommand(async (args) => {
  const given = readSeedOptions(args);
  const password = given.password ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  const options = { ...given, password };
  const firm = await openFirm(readConfig(process.env));
  try {
    const begun = performance.now();
    const people = await seedFirm(firm.db.asSystem('the sample firm is planted as a whole'), {
      options,
      now: new Date(),
      say,
    });
    await sql`vacuum (analyze)`.execute(firm.db);
    const { cases, users, tasks } = options;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const made = `${count(users)} people, ${count(cases)} cases and ${count(tasks)} tasks`;
    say(`Made ${made} in ${seconds} s`);
    if (people.length > 0) say(howToSignIn(people, password));
  } finally {
    await firm.close();
  }
});

/** Names people made by this run; earlier ones keep their password. */
function howToSignIn(made: UserRow[], password: string): string {
  const first = (role: UserRow['role']) => made.find((row) => row.role === role);
  const [admin, user] = [first('admin'), first('user')];
  const who = [admin && `${admin.email} (admin)`, user && `${user.email} (user)`];
  return `Sign in as ${who.filter(Boolean).join(' or ')}; the password of everyone made now is ${password}`;
}

type Firm = { db: Database; close: () => Promise<void> };

/**
 * Opens the database of DATABASE_URL, else the embedded one, which must not be in use, and migrates
 * it. Throws one line.
 */
async function openFirm(config: Config): Promise<Firm> {
  const { connection, stop } = config.databaseUrl
    ? { connection: { connectionString: config.databaseUrl }, stop: async () => undefined }
    : await startOwn(config.dataDir);
  // Loading 100,000 cases takes minutes in one transaction.
  const timeouts = {
    statement_timeout: UNLIMITED,
    idle_in_transaction_session_timeout: UNLIMITED,
  };
  const pool = openPool({ ...connection, ...timeouts }, () => undefined);
  const close = async () => {
    await pool.end();
    await stop();
  };
  try {
    const db = openDatabase(pool, { isPrepared: config.databasePrepared });
    await migrate(db, say);
    return { db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startOwn(dataDir: string) {
  const directory = await openDataDirectory(dataDir);
  await finishSwap(directory.path);
  const database = await startEmbeddedPostgres({
    directory: path.join(directory.path, 'postgres'),
    log: () => undefined,
    onProgress: say,
  }).catch(async (error: unknown) => {
    await directory.release();
    throw error;
  });
  return {
    connection: database.connection,
    async stop() {
      await database.stop();
      await directory.release();
    },
  };
}
