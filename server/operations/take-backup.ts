import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { openDataDirectory } from '../data-directory.ts';
import { findRunningPostgres, type Connection } from '../db/embedded/connections.ts';
import { startEmbeddedPostgres } from '../db/embedded/start.ts';
import { DATA, seal, verify } from './backup-contents.ts';
import { copyCluster } from './cluster-copy.ts';
import { CommandError, type Say } from './command.ts';
import { copyTree, ifThere, sync } from './copy-tree.ts';
import { isOwnTraceOfRestore } from './swap.ts';

const CLUSTER = 'postgres';

/**
 * Copies DATA_DIR and its database to a new directory, with or without a running server. The directory
 * appears only when it is complete and verified.
 */
export async function takeBackup(wanted: string, place: string, say: Say): Promise<void> {
  const dataDir = await findData(wanted);
  const target = await findPlace(place, dataDir);
  const draft = `${target}.unfinished-${process.pid}`;
  const database = await reachDatabase(dataDir, wanted);
  try {
    await fs.mkdir(draft, { recursive: true, mode: 0o700 });
    const data = path.join(draft, DATA);
    const madeAt = new Date();
    say('Copying the database');
    const from = path.join(dataDir, CLUSTER);
    const cluster = await copyCluster(database.superuser, from, path.join(data, CLUSTER));
    // After the database, since files exist before their rows.
    say('Copying the files');
    const files = await copyTree(dataDir, data, { takes: isFile });
    const sums = new Map([...cluster].map(([name, sum]) => [`${CLUSTER}/${name}`, sum]));
    await seal(draft, new Map([...sums, ...files]), madeAt);
    say('Reading the backup again');
    await verify(draft);
    await sync(draft);
    await fs.rename(draft, target);
    await sync(path.dirname(target));
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
    await database.release();
  }
}

async function findData(wanted: string): Promise<string> {
  const dataDir = await ifThere(fs.realpath(wanted));
  const version = dataDir && path.join(dataDir, CLUSTER, 'PG_VERSION');
  if (!version || !(await ifThere(fs.stat(version))))
    throw new CommandError(`There is nothing to back up in DATA_DIR ${wanted}`);
  return dataDir;
}

/** The real path of an unused place. */
async function findPlace(wanted: string, dataDir: string): Promise<string> {
  await fs.mkdir(path.dirname(wanted), { recursive: true });
  const target = path.join(await fs.realpath(path.dirname(wanted)), path.basename(wanted));
  if (`${target}/`.startsWith(`${dataDir}/`))
    throw new CommandError('A backup must not lie in DATA_DIR itself');
  const found = await ifThere(fs.stat(target));
  const isFree = !found || (found.isDirectory() && (await fs.readdir(target)).length === 0);
  if (!isFree) throw new CommandError(`${wanted} is there already: name a new directory`);
  return target;
}

/** All of DATA_DIR except its cluster, sockets and data that a restore set aside. */
function isFile(relative: string): boolean {
  const [top = ''] = relative.split('/', 1);
  return top !== CLUSTER && !top.startsWith(`${CLUSTER}.`) && !isOwnTraceOfRestore(top);
}

type Reached = { superuser: Connection; release: () => Promise<void> };

/** The database of the running server, else one started for this backup. */
async function reachDatabase(dataDir: string, wanted: string): Promise<Reached> {
  const cluster = path.join(dataDir, CLUSTER);
  const running = findRunningPostgres(cluster)?.superuser;
  if (running && (await answers(running))) {
    return { superuser: running, release: () => Promise.resolve() };
  }
  const directory = await openDataDirectory(wanted);
  try {
    const database = await startEmbeddedPostgres({ directory: cluster, log: () => undefined });
    const release = async () => {
      await database.stop();
      await directory.release();
    };
    return { superuser: database.superuser, release };
  } catch (error) {
    await directory.release();
    throw error;
  }
}

async function answers(connection: Connection): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
