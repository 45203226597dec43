import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { openDataDirectory } from '../data-directory.ts';
import { findRunningPostgres, type Connections } from '../db/embedded/connections.ts';
import { startEmbeddedPostgres } from '../db/embedded/start.ts';
import { CommandError } from './command.ts';
import { ifThere } from './copy-tree.ts';

export const CLUSTER = 'postgres';

export type ReachedDatabase = Connections & { release: () => Promise<void> };

/** The real path of DATA_DIR. @throws CommandError without a database in it */
export async function findData(wanted: string, purpose: string): Promise<string> {
  const dataDir = await ifThere(fs.realpath(wanted));
  const version = dataDir && path.join(dataDir, CLUSTER, 'PG_VERSION');
  if (!version || !(await ifThere(fs.stat(version))))
    throw new CommandError(`There is nothing to ${purpose} in DATA_DIR ${wanted}`);
  return dataDir;
}

/** The embedded database of the running server, else one started for this command. */
export async function reachDatabase(dataDir: string): Promise<ReachedDatabase> {
  const running = findRunningPostgres(path.join(dataDir, CLUSTER));
  if (running && (await answers(running.superuser)))
    return { ...running, release: () => Promise.resolve() };
  const directory = await openDataDirectory(dataDir);
  const cluster = path.join(directory.path, CLUSTER);
  try {
    const database = await startEmbeddedPostgres({ directory: cluster, log: () => undefined });
    const release = async () => {
      await database.stop();
      await directory.release();
    };
    return { ...database, release };
  } catch (error) {
    await directory.release();
    throw error;
  }
}

async function answers(connection: Connections['superuser']): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
