import path from 'node:path';
import { buildApp, type App } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { loadSecretKey, openDataDirectory } from './data-directory.ts';
import { openPool, type Connection } from './db/connect.ts';
import { startEmbeddedPostgres } from './db/embedded/start.ts';
import { migrate } from './db/migrate.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import { DiskBlobStore } from './integrations/blobs/disk.ts';
import { startMaintenance } from './jobs/maintenance.ts';
import { createLog, type Log } from './log.ts';
import { finishSwap } from './operations/swap.ts';

/** Milliseconds that requests in flight have at the end; then their connections are cut. */
const TIME_TO_FINISH = 3500;
/** Milliseconds that each step of the end has. */
const PATIENCE = 4000;

/** What has to be undone at the end, last first. */
type Undo = () => Promise<void>;

const undo: Undo[] = [];
let isStopping = false;

async function start(config: Config, log: Log): Promise<void> {
  const directory = await openDataDirectory(config.dataDir);
  undo.push(() => directory.release());
  await finishSwap(directory.path);
  if (!config.secretKey) await loadSecretKey(directory.path);
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : await startOwnDatabase(directory.path, log);
  const pool = openPool(connection, (error) => log.warn({ err: error }, 'database connection'));
  undo.push(() => pool.end());
  const blobs = await openBlobs(config, directory.path);
  const { http, db, files, training, startJobs } = await buildApp({ config, pool, blobs, log });
  undo.push(() => finish(http));
  const migrated = await migrate(db).catch((error: unknown) => {
    throw config.databaseUrl
      ? new Error(`DATABASE_URL cannot be used: ${messageOf(error)}`)
      : error;
  });
  if (migrated.length > 0) say(`Database brought to its newest form: ${migrated.join(', ')}`);
  await startJobs();
  undo.push(startMaintenance({ db, files, training, log }));
  await http.listen({ host: config.host, port: config.port });
  say(`Matterdesk is ready at ${config.publicUrl}`);
  say(
    `Data lives in ${directory.path}${config.databaseUrl ? ' and in the database of DATABASE_URL' : ''}`,
  );
  if (config.databaseUrl && !config.s3)
    say('Files stay on this machine: set S3_* before a second process uses this database');
}

async function openBlobs({ s3 }: Config, directory: string): Promise<BlobStore> {
  if (!s3) return DiskBlobStore.open(path.join(directory, 'files'));
  // Read only where it is used: it takes memory and time of every start.
  const { S3BlobStore } = await import('./integrations/blobs/s3.ts');
  return new S3BlobStore(s3);
}

async function startOwnDatabase(directory: string, log: Log): Promise<Connection> {
  const database = await startEmbeddedPostgres({
    directory: path.join(directory, 'postgres'),
    log: (line) => log.debug({ line }, 'database'),
    onProgress: say,
  });
  undo.push(() => database.stop());
  return database.connection;
}

async function finish(http: App['http']): Promise<void> {
  const cut = setTimeout(() => http.server.closeAllConnections(), TIME_TO_FINISH);
  await http.close();
  clearTimeout(cut);
}

/** Finishes requests in flight, then lets go of everything. */
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(code), PATIENCE * 2).unref();
  for (const step of undo.toReversed()) await Promise.race([step(), patience()]).catch(complain);
  process.exit(code);
}

function patience() {
  return new Promise<void>((resolve) => setTimeout(resolve, PATIENCE).unref());
}

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

function complain(error: unknown) {
  process.stderr.write(`${messageOf(error).replaceAll(/\s*\n\s*/g, ' ')}\n`);
}

/** An error of several addresses tried has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

const CANNOT_LISTEN = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

/** Whatever stops a start is told in one line. */
function explain(error: unknown, config: Config | undefined) {
  const { code = '' } = (error ?? {}) as { code?: string };
  if (CANNOT_LISTEN.includes(code))
    complain(`PORT ${config?.port} on HOST ${config?.host} cannot be used (${code})`);
  else complain(error);
}

async function main() {
  let config: Config | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0));
  process.on('disconnect', () => void stop(0));
  try {
    config = readConfig(process.env);
    await start(config, createLog(config.logLevel));
  } catch (error) {
    explain(error, config);
    await stop(1);
  }
}

await main();
