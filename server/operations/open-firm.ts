import path from 'node:path';
import type { Config } from '../config.ts';
import { openDataDirectory } from '../data-directory.ts';
import { openDatabase, openPool, UNLIMITED } from '../db/connect.ts';
import { startEmbeddedPostgres } from '../db/embedded/start.ts';
import { migrate } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';
import { say } from './command.ts';
import { finishSwap } from './swap.ts';

export type Firm = { db: Database; close: () => Promise<void> };

/**
 * Opens the database of DATABASE_URL, else the embedded one, which must not be in use, and migrates
 * it. Throws one line.
 */
export async function openFirm(config: Config): Promise<Firm> {
  const { connection, stop } = config.databaseUrl
    ? { connection: { connectionString: config.databaseUrl }, stop: async () => undefined }
    : await startOwn(config.dataDir);
  // Loading 100,000 cases takes minutes in one transaction.
  const patience = {
    statement_timeout: UNLIMITED,
    idle_in_transaction_session_timeout: UNLIMITED,
  };
  const pool = openPool({ ...connection, ...patience }, () => undefined);
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
