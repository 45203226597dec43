import { createServer } from 'node:http';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { connectFeatures } from './app.hooks.ts';
import { startJobs, stopJobs } from './app.jobs.ts';
import { serveRoutes } from './app.routes.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { openDatabase, ping, type Pool } from './db/connect.ts';
import type { Database } from './db/schema.ts';
import { Writer } from './db/unit-of-work.ts';
import { findEndedSessions, ownerOfToken } from './features/accounts/service.ts';
import { serveAi } from './features/ai/routes.ts';
import { chatOf, embeddingsOf } from './features/ai/service.models.ts';
import { Trainer } from './features/ai/training/jobs.ts';
import { noteReading, noteRefused } from './features/audit/service.ts';
import { countWaiting } from './features/conflicts/alerts/service.ts';
import { serveFormPages } from './features/intakes/forms/routes.ts';
import { isStorageLow } from './features/storage/service.ts';
import { createGate } from './http/authenticate.ts';
import { Binder, type Recorder } from './http/bind.ts';
import { acceptForms, acceptJson } from './http/bodies.ts';
import { compressReplies } from './http/compress.ts';
import { limitConnections, watchConnections, endSlowClients } from './http/connections.ts';
import { createHttp } from './http/create.ts';
import { serveHealth } from './http/health.ts';
import { missingSetupOf } from './http/integrations.ts';
import { describeApi } from './http/openapi.ts';
import { serveFrames, handleUnknownRoutes, servePages } from './http/pages.ts';
import { KnownHosts, requireKnownHost, allowOrigin, setSecurityHeaders } from './http/security.ts';
import { guardSocketReplies } from './http/socket-replies.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import { TranscriptWriter } from './integrations/pdf/transcript.ts';
import { Threads } from './integrations/threads.ts';
import { Pace } from './jobs/pace.ts';
import { Queue } from './jobs/queue.ts';
import type { Log } from './log.ts';
import { SOLE_PROCESS, ownerOf, type ProcessSlot, gatherMetrics } from './processes/worker.ts';
import { Realtime } from './realtime/publisher.ts';
import {
  closeUnadmitted,
  guardHandshakes,
  createSocketServer,
  guardSockets,
  type Sockets,
} from './realtime/server.ts';

type Parts = {
  config: Config;
  secretKey: string;
  pool: Pool;
  /** For the connection that listens to other processes; with a pooler between, not the pool of the statements. */
  listening: Pool;
  blobs: BlobStore;
  log: Log;
  /** Among the processes on one DATA_DIR; by default it is the only one. */
  slot?: ProcessSlot;
};
type Foundation = Parts & { http: FastifyInstance; sockets: Sockets };
type AssembledApp = Foundation & { context: Context; binder: Binder; drain: () => void };

export type App = {
  http: FastifyInstance;
  db: Database;
  context: Context;
  /** Starts background jobs, perhaps without some of them. Needs the newest schema. */
  startJobs: (except?: string[]) => Promise<void>;
  /** From now on `/readyz` refuses, so that a load balancer sends new requests elsewhere. */
  drain: () => void;
};

/** The whole application, ready to listen. Closing `http` closes the sockets too. */
export async function buildApp(parts: Parts): Promise<App> {
  const http = createHttp(parts.config, parts.log);
  const sockets = createSocketServer({ ...parts, http: http.server });
  const admit = limitConnections(http, parts.config);
  guardHandshakes(sockets.io, new KnownHosts(parts.config), admit);
  closeUnadmitted(sockets.io);
  guardSocketReplies(http.server, parts.log);
  const app = await build({ ...parts, http, sockets });
  await serveEverything(app);
  const { config, context, drain } = app;
  // A training takes a core and much memory.
  const trainings = isTrainedElsewhere(config) ? 0 : config.processes > 1 ? 1 : undefined;
  const start = (except?: string[]) =>
    startJobs(context, { isAlone: isAlone(app), trainings, except });
  return { http, db: context.db, context, startJobs: start, drain };
}

/** The AI service alone, for the pages of another process on the same database; ready to listen. */
export async function buildAiHost(parts: Parts): Promise<App> {
  const http = createHttp(parts.config, parts.log);
  limitConnections(http, parts.config);
  // No browser connects here: events reach the browsers through the other processes.
  const sockets = createSocketServer({ ...parts, http: createServer() });
  const { binder, context, drain } = await build({ ...parts, http, sockets });
  allowOrigin(http, parts.config.publicUrl);
  serveAi(binder);
  handleUnknownRoutes(http);
  const start = async () => {
    await context.queue.start();
    await new Trainer(context).start();
  };
  return { http, db: context.db, context, startJobs: start, drain };
}

/** Shared by all processes, whichever routes they serve. */
async function build(parts: Foundation): Promise<AssembledApp> {
  const { config, blobs, http, sockets } = parts;
  const context = createContext(parts);
  connectFeatures(context);
  reportServing(http, context.pace);
  // A model that cannot be loaded is reported at the start, not to the first question.
  await Promise.all([chatOf(context), embeddingsOf(context)]);
  await setSecurityHeaders(http, config);
  requireKnownHost(http, new KnownHosts(config));
  acceptJson(http);
  compressReplies(http, config);
  const { metricsToken } = config;
  const pings = { database: () => ping(context.db), storage: () => blobs.ping() };
  const { drain } = serveHealth(http, {
    ...pings,
    isStorageLow: () => isStorageLow(context),
    countWaiting: () => countWaiting(context),
    gatherMetrics,
    metricsToken,
  });
  const gate = createGate((token) => ownerOfToken(context, token));
  const recorder: Recorder = {
    note: (actor, reading) => noteReading({ ...context, actor }, reading),
    noteRefused: (refused) => noteRefused(context, refused),
  };
  const missingSetup = missingSetupOf(config);
  const binder = new Binder(http, gate, { context, missingSetup, recorder });
  endSlowClients(http.server);
  const connections = watchConnections(http.server);
  http.addHook('preClose', async () => {
    connections.endIdle();
    await stopJobs(context);
    await sockets.close();
  });
  return { ...parts, context, binder, drain };
}

/** Reports requests of people and programs, which probes of the health are not. */
function reportServing(http: FastifyInstance, pace: Pace): void {
  http.addHook('onRequest', async ({ url }, { raw }) => {
    if (!url.startsWith('/api/')) return;
    pace.begin();
    raw.once('close', () => pace.end());
  });
}

function createContext(parts: Foundation): Context {
  const { config, secretKey, pool, blobs, log, sockets } = parts;
  const db = openDatabase(pool, { isPrepared: config.databasePrepared });
  const realtime = new Realtime(sockets);
  const threads = new Threads();
  return {
    config,
    secretKey,
    db,
    writer: new Writer(db, realtime),
    queue: new Queue(pool, { log, isAlone: isAlone(parts) }),
    pace: new Pace(async () => (await sockets.io.of('/').adapter.serverCount()) > 1),
    realtime,
    blobs,
    threads,
    paper: new TranscriptWriter(threads),
    log,
    owner: ownerOf(parts),
  };
}

/** Whether no other process can be working on this database. */
function isAlone({ config, slot = SOLE_PROCESS }: Parts): boolean {
  return !config.databaseUrl && slot.isFirst;
}

/** A separate AI host trains only when it reaches the same database. */
function isTrainedElsewhere({ aiUrl, databaseUrl }: Config): boolean {
  return aiUrl !== undefined && databaseUrl !== undefined;
}

async function serveEverything({ http, config, context, binder, sockets, log }: AssembledApp) {
  await http.register(cookie);
  acceptForms(http);
  await http.register(multipart);
  serveRoutes(binder, config);
  let description: ReturnType<typeof describeApi> | undefined;
  http.get('/api/v1/openapi.json', () => (description ??= describeApi()));
  serveFrames(http);
  serveFormPages(http, context);
  await servePages(http, config);
  const guard = guardSockets(
    sockets.io,
    {
      ownerOf: (token) => ownerOfToken(context, token),
      ended: (open) => findEndedSessions(context, open),
    },
    log,
  );
  http.addHook('preClose', async () => guard.stop());
}
