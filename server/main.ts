import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { App } from './app.ts';
import { readConfig, type Config, type S3Config } from './config.ts';
import { loadSecretKey, openDataDirectory } from './data-directory.ts';
import { guardAudit } from './db/audit-rights.ts';
import {
  connectionsFor,
  openDatabase,
  openPool,
  type Connection,
  type Pool,
} from './db/connect.ts';
import { startEmbeddedPostgres } from './db/embedded/start.ts';
import { migrate } from './db/migrate.ts';
import { describeRegistration } from './features/accounts/registration/service.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import { DiskBlobStore } from './integrations/blobs/disk.ts';
import { describeLevel, findLevel } from './integrations/confinement/levels.ts';
import { createLog, type Log } from './log.ts';
import { finishSwap } from './operations/swap.ts';
import { trimWhenQuiet } from './processes/trim.ts';
import {
  SOLE_PROCESS,
  type ProcessSlot,
  type WorkerShare,
  receiveShare,
  isWorker,
  onDrain,
  reportReady,
} from './processes/worker.ts';
import { WorkerFailed, Workers } from './processes/workers.ts';

/** Milliseconds for requests in flight to finish before their connections are closed. */
const GRACE_PERIOD_MS = 3500;
/** Milliseconds for each step of a shutdown. */
const STEP_TIMEOUT_MS = 4000;

/** A step of the shutdown; steps run in reverse order. */
type ShutdownStep = () => Promise<void>;

/** `npm run ai`. */
const isAiAlone = process.argv[2] === 'ai';
const shutdownSteps: ShutdownStep[] = [];
let isStopping = false;
/** Waits, once the server listens, until load balancers have noticed that it stops. */
let leaveBalancer = async (): Promise<void> => undefined;

async function start(config: Config, log: Log): Promise<void> {
  const share = await openShare(config, log);
  if (config.processes > 1) await serveByProcesses(config, log, share);
  else await serve({ config, log, share, slot: SOLE_PROCESS });
  say(`Matterdesk is ready at ${config.publicUrl}`);
  say(
    `Data lives in ${share.directory}${config.databaseUrl ? ' and in the database of DATABASE_URL' : ''}`,
  );
  if (config.databaseUrl && !config.s3)
    say('Files stay on this machine: set S3_* before a second process uses this database');
  if (config.aiUrl && !config.databaseUrl)
    say('AI_URL names another host, which cannot reach the embedded database: set DATABASE_URL');
}

/** Locks DATA_DIR and starts what lives in it. */
async function openShare(config: Config, log: Log): Promise<WorkerShare> {
  const directory = await openDataDirectory(config.dataDir);
  shutdownSteps.push(() => directory.release());
  announceConfinement();
  await finishSwap(directory.path);
  const secretKey = config.secretKey ?? (await loadSecretKey(directory.path));
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl }
    : await startOwnDatabase(directory.path, config, log);
  return { directory: directory.path, secretKey, connection };
}

async function serveByProcesses(config: Config, log: Log, share: WorkerShare): Promise<void> {
  const workers = new Workers({ count: config.processes, share, log });
  shutdownSteps.push(() => workers.stop());
  await workers.start();
  leaveBalancer = () => waitDraining(() => workers.drain(), config);
}

type ServerOptions = { config: Config; log: Log; share: WorkerShare; slot: ProcessSlot };

/** The application is imported only here, because the primary of several processes does without. */
async function serve({ config, log, share, slot }: ServerOptions): Promise<void> {
  const { directory, secretKey, connection } = share;
  const pools = openPools(connection, config, log);
  const blobs = await openBlobs(config, directory, slot);
  const { buildApp } = await import('./app.ts');
  const app = await buildApp({ config, secretKey, ...pools, blobs, log, slot });
  const { http, db, context, startJobs, drain } = app;
  shutdownSteps.push(() => finish(http));
  if (slot.isFirst) await migrateTo(db, config);
  await startJobs();
  await http.listen({ host: config.host, port: config.port });
  trimWhenQuiet(context.pace);
  leaveBalancer = once(() => waitDraining(drain, config));
  if (slot.isFirst) for (const line of await describeRegistration(context)) say(line);
}

/** One of several processes that a primary started. */
async function startWorker(config: Config, log: Log): Promise<void> {
  const { share, slot } = await receiveShare();
  await serve({ config, log: log.child({ process: slot.number }), share, slot });
  // The primary stops it when both have waited.
  onDrain(() => void leaveBalancer());
  reportReady();
}

/** Tried meanwhile: only the first document waits for it. */
function announceConfinement(): void {
  void findLevel().then((level) => say(describeLevel(level)), printError);
}

async function migrateTo(db: App['db'], { databaseUrl }: Config): Promise<void> {
  const migrated = await migrate(db, say).catch((error: unknown) => {
    throw databaseUrl ? new Error(`DATABASE_URL cannot be used: ${messageOf(error)}`) : error;
  });
  if (migrated.length > 0) say(`Database migrated: ${migrated.join(', ')}`);
}

/** Starts the AI service alone. Without S3 it reads files from the data directory of another process. */
async function startAi(config: Config, log: Log): Promise<void> {
  const { databaseUrl, secretKey, publicUrl, dataDir, s3, host, port } = config;
  // The configuration requires SECRET_KEY with DATABASE_URL.
  if (!databaseUrl || secretKey === undefined)
    throw new Error(
      'DATABASE_URL is required by npm run ai: the embedded database serves one process alone',
    );
  const pools = openPools({ connectionString: databaseUrl }, config, log);
  announceConfinement();
  const files = path.join(dataDir, 'files');
  const blobs = s3 ? await openS3(s3) : DiskBlobStore.beside(files);
  const { buildAiHost } = await import('./app.ts');
  const app = await buildAiHost({ config, secretKey, ...pools, blobs, log });
  const { http, db, startJobs, drain } = app;
  shutdownSteps.push(() => finish(http));
  await migrateTo(db, config);
  await startJobs();
  await http.listen({ host, port });
  leaveBalancer = () => waitDraining(drain, config);
  say(`Matterdesk is ready at ${config.aiUrl ?? `http://${host}:${port}/ai`} for ${publicUrl}`);
  if (!s3) say(`Files are read from ${files}: set S3_* when they are on another machine`);
}

function openPools(
  connection: Connection,
  { databaseListenUrl }: Config,
  log: Log,
): { pool: Pool; listening: Pool } {
  const open = (to: Connection) => {
    const opened = openPool(to, (error) => {
      if (!isStopping) log.warn({ err: error }, 'database connection');
    });
    shutdownSteps.push(() => opened.end());
    return opened;
  };
  const pool = open(connection);
  return {
    pool,
    listening: databaseListenUrl ? open({ connectionString: databaseListenUrl }) : pool,
  };
}

async function openBlobs(
  { s3 }: Config,
  directory: string,
  { isFirst }: ProcessSlot,
): Promise<BlobStore> {
  if (s3) return openS3(s3);
  const files = path.join(directory, 'files');
  return isFirst ? DiskBlobStore.open(files) : DiskBlobStore.beside(files);
}

async function openS3(s3: S3Config): Promise<BlobStore> {
  // Imported only when it is used, because it costs memory and startup time.
  const { S3BlobStore } = await import('./integrations/blobs/s3.ts');
  return new S3BlobStore(s3);
}

async function startOwnDatabase(directory: string, config: Config, log: Log): Promise<Connection> {
  const database = await startEmbeddedPostgres({
    directory: path.join(directory, 'postgres'),
    log: (line) => log.debug({ line }, 'database'),
    onProgress: say,
    settings: { max_connections: connectionsFor(config.processes) },
  });
  shutdownSteps.push(() => database.stop());
  await guardAudit(database.superuser, () => migrateOwn(database.connection, config));
  return database.connection;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => (begun ??= work());
}

async function waitDraining(drain: () => void, { drainMilliseconds }: Config): Promise<void> {
  drain();
  await delay(drainMilliseconds);
}

async function migrateOwn(connection: Connection, config: Config): Promise<void> {
  const pool = openPool(connection, () => undefined);
  await migrateTo(openDatabase(pool), config);
  await pool.end();
}

async function finish(http: App['http']): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), GRACE_PERIOD_MS);
  await http.close();
  clearTimeout(timer);
}

/** Finishes requests in flight, then releases all resources. */
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await leaveBalancer();
  setTimeout(() => process.exit(code), STEP_TIMEOUT_MS * 2).unref();
  for (const step of shutdownSteps.toReversed())
    await Promise.race([step(), stepTimeout()]).catch(printError);
  process.exit(code);
}

function stepTimeout() {
  return new Promise<void>((resolve) => setTimeout(resolve, STEP_TIMEOUT_MS).unref());
}

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

function printError(error: unknown) {
  process.stderr.write(`${messageOf(error).replaceAll(/(?<!\s)\s*\n\s*/g, ' ')}\n`);
}

/** An error for several tried addresses has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

const CANNOT_LISTEN = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

/** Prints the reason of a failed start in one line. */
function explain(error: unknown, config: Config | undefined) {
  const { code = '' } = (error ?? {}) as { code?: string };
  if (CANNOT_LISTEN.includes(code))
    printError(`PORT ${config?.port} on HOST ${config?.host} cannot be used (${code})`);
  else printError(error);
}

/** Lets the AI service listen on the port of AI_URL, for pages of a server on the default PORT. */
function withAiDefaults(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const aiUrl = env['AI_URL'] ?? '';
  const port = URL.canParse(aiUrl) ? new URL(aiUrl).port : '';
  const publicUrl = env['PUBLIC_URL'] || 'http://localhost:3000';
  return { ...env, PORT: env['PORT'] || port, PUBLIC_URL: publicUrl };
}

async function main() {
  let config: Config | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0));
  process.on('disconnect', () => void stop(0));
  try {
    config = readConfig(isAiAlone ? withAiDefaults(process.env) : process.env);
    const log = createLog(config.logLevel);
    if (isWorker) await startWorker(config, log);
    else await (isAiAlone ? startAi : start)(config, log);
  } catch (error) {
    // Errors during shutdown only mean that a resource was already released.
    if (!isStopping && !(error instanceof WorkerFailed)) explain(error, config);
    await stop(1);
  }
}

await main();
