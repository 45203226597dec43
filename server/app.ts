// The server: assembly, configuration and start; everything else is in folders.

import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { createServer } from 'node:http';
import { routes } from '@matterdesk/contract/routes.ts';
import type { Config } from './config.ts';
import { openDatabase, ping, type Pool } from './db/connect.ts';
import type { Database } from './db/schema.ts';
import { Writer } from './db/unit-of-work.ts';
import { accessRound } from './features/access/jobs.ts';
import { bindAccess } from './features/access/routes.ts';
import { AccessService } from './features/access/service.ts';
import { accountRound } from './features/accounts/jobs.ts';
import { bindPeople } from './features/accounts/routes.assembly.ts';
import { createAccounts } from './features/accounts/service.assembly.ts';
import { bindAi } from './features/ai/training/routes.ts';
import { Trainer, trainingRound } from './features/ai/training/jobs.ts';
import { TrainingService } from './features/ai/training/service.ts';
import { bindAsking } from './features/ai/answering/routes.ts';
import { AskService } from './features/ai/answering/service.ts';
import { createChat, createEmbeddings } from './features/ai/service.models.ts';
import { bindAudit } from './features/audit/routes.ts';
import { sealRound } from './features/audit/jobs.ts';
import { createAudit } from './features/audit/service.ts';
import { calendarRound } from './features/calendar/jobs.ts';
import { bindCalendar } from './features/calendar/routes.ts';
import { createCalendar } from './features/calendar/service.assembly.ts';
import { bindCases } from './features/cases/routes.ts';
import { CaseExchange } from './features/cases/service.exchange.ts';
import { CaseService } from './features/cases/service.ts';
import { bindDashboard } from './features/dashboard/routes.ts';
import { DashboardService } from './features/dashboard/service.ts';
import { bindDeadlines } from './features/deadlines/routes.ts';
import { limitationRound } from './features/deadlines/limitations/jobs.ts';
import { LimitationService } from './features/deadlines/limitations/service.ts';
import { createDeadlines } from './features/deadlines/service.assembly.ts';
import { fileRound } from './features/files/jobs.ts';
import { bindFiles } from './features/files/routes.ts';
import { FileService } from './features/files/service.ts';
import { FileTexts } from './features/files/service.training.ts';
import { bindFirm } from './features/firm/routes.ts';
import { FirmService } from './features/firm/service.ts';
import { MailJobs } from './features/mails/jobs.ts';
import { bindMails } from './features/mails/routes.ts';
import { createMails } from './features/mails/service.ts';
import { MessageJobs } from './features/messages/jobs.ts';
import { bindMessages } from './features/messages/routes.ts';
import { bindWebhooks } from './features/messages/inbound/routes.ts';
import { createTexting } from './features/messages/service.ts';
import { bindStorage } from './features/storage/routes.ts';
import { StorageService } from './features/storage/service.ts';
import { taskRound } from './features/tasks/jobs.ts';
import { bindTasks } from './features/tasks/routes.ts';
import { TaskService } from './features/tasks/service.ts';
import { createGate } from './http/authenticate.ts';
import { Binder } from './http/bind.ts';
import { compressReplies } from './http/compress.ts';
import { watchConnections } from './http/connections.ts';
import { createHttp } from './http/create.ts';
import { allowOrigin } from './http/cross-origin.ts';
import { serveFrames } from './http/frames.ts';
import { acceptForms } from './http/form-body.ts';
import { serveHealth } from './http/health.ts';
import { KnownHosts, requireKnownHost } from './http/known-hosts.ts';
import { bindIntegrations, missingSetupOf } from './http/integrations.ts';
import { acceptJson } from './http/json-body.ts';
import { describeApi } from './http/openapi.ts';
import { handleUnknownRoutes, servePages } from './http/pages.ts';
import { setSecurityHeaders } from './http/security.ts';
import { Cookies } from './http/session-cookie.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import { guardSocketReplies } from './http/socket-replies.ts';
import { Threads } from './integrations/threads.ts';
import { Queue } from './jobs/queue.ts';
import type { Log } from './log.ts';
import { ONLY, ownerOf, type Seat } from './processes/share.ts';
import { gatherMetrics } from './processes/worker.ts';
import { Realtime } from './realtime/publisher.ts';
import { endClosedSockets, guardHandshakes } from './realtime/handshake.ts';
import { createSocketServer, guardSockets, type Sockets } from './realtime/server.ts';

type Parts = {
  config: Config;
  secretKey: string;
  pool: Pool;
  /** For the connection that listens to other processes; with a pooler between, not the pool of the statements. */
  listening: Pool;
  blobs: BlobStore;
  log: Log;
  /** Among the processes on one DATA_DIR; by default it is the only one. */
  seat?: Seat;
};
type Foundation = Parts & { db: Database; http: FastifyInstance; sockets: Sockets };
type Services = Awaited<ReturnType<typeof buildServices>>;
type Serving = Foundation & { services: Services; binder: Binder; drain: () => void };

export type App = {
  http: FastifyInstance;
  db: Database;
  services: Services;
  /** Starts background jobs. Needs the newest schema. */
  startJobs: () => Promise<void>;
  /** From now on `/readyz` refuses, so that a load balancer sends new requests elsewhere. */
  drain: () => void;
};

/** The whole application, ready to listen. Closing `http` closes the sockets too. */
export async function buildApp(parts: Parts): Promise<App> {
  const http = createHttp(parts.config, parts.log);
  const sockets = createSocketServer({ ...parts, http: http.server });
  guardHandshakes(sockets.io, new KnownHosts(parts.config));
  endClosedSockets(sockets.io);
  guardSocketReplies(http.server, parts.log);
  const app = await build({ ...parts, http, sockets });
  await serveEverything(app);
  return { ...app, startJobs: () => startAllJobs(app) };
}

/** The AI service alone, for the pages of another process on the same database; ready to listen. */
export async function buildAiHost(parts: Parts): Promise<App> {
  const http = createHttp(parts.config, parts.log);
  // No browser connects here: events reach the browsers through the other processes.
  const sockets = createSocketServer({ ...parts, http: createServer() });
  const app = await build({ ...parts, http, sockets });
  allowOrigin(http, parts.config.publicUrl);
  const { queue, trainer } = app.services;
  bindAi(app.binder, app.services.training);
  bindAsking(app.binder, app.services.asking);
  handleUnknownRoutes(http);
  const startJobs = async () => {
    await queue.start();
    await trainer.start();
  };
  return { ...app, startJobs };
}

/** Shared by all processes, whichever routes they serve. */
async function build(parts: Omit<Foundation, 'db'>): Promise<Serving> {
  const { config, pool, blobs, http, sockets } = parts;
  const db = openDatabase(pool, { isPrepared: config.databasePrepared });
  await setSecurityHeaders(http, config);
  requireKnownHost(http, new KnownHosts(config));
  acceptJson(http);
  compressReplies(http, config);
  const { metricsToken } = config;
  const services = await buildServices({ ...parts, db });
  const pings = { database: () => ping(db), storage: () => blobs.ping() };
  const isStorageLow = () => services.storage.isLow();
  const { drain } = serveHealth(http, { ...pings, isStorageLow, gatherMetrics, metricsToken });
  const gate = createGate((token) => services.accounts.ownerOf(token));
  const binder = new Binder(http, gate, {
    missingSetup: missingSetupOf(config),
    recorder: services.record,
  });
  const connections = watchConnections(http.server);
  http.addHook('preClose', async () => {
    connections.endIdle();
    await services.queue.stop();
    await services.messageJobs.stop();
    await services.mailJobs.stop();
    await services.threads.close();
    await sockets.close();
  });
  return { ...parts, db, services, binder, drain };
}

async function buildServices(foundation: Foundation) {
  const { config, secretKey, pool, blobs, log, db, sockets } = foundation;
  const realtime = new Realtime(sockets);
  const writer = new Writer(db, realtime);
  const threads = new Threads();
  const queue = new Queue(pool, { log, isAlone: isAlone(foundation) });
  const { maxUploadBytes, maxStorageBytes: limit } = config;
  const owner = ownerOf(foundation);
  const firm = new FirmService(db, writer, realtime);
  const people = createAccounts({ config, secretKey, db, writer, queue, log, firm });
  const { accounts } = people;
  const storage = new StorageService({ db, blobs, accounts, limit });
  const files = new FileService({ db, writer, blobs, storage, owner, maxUploadBytes });
  const texts = new FileTexts(db, files);
  const training = new TrainingService({ db, writer, files, texts, queue });
  const embeddings = await createEmbeddings({ config, db, log, threads });
  const onReady = (documentId: string) => void embeddings?.prepare(documentId);
  const access = new AccessService(db, writer, accounts);
  const limitations = new LimitationService(writer, firm);
  const cases = new CaseService(db, writer, { accounts, access, limitations });
  const tasks = new TaskService(db, writer, { accounts, cases });
  const events = createCalendar({ db, writer, firm, accounts, cases });
  const shared = { config, db, writer, blobs, storage, threads, log, accounts, files };
  const texting = createTexting({ ...shared, cases });
  const mails = createMails({ ...shared, secretKey, queue });
  return {
    access,
    firm,
    ...people,
    storage,
    files,
    texts,
    training,
    trainer: new Trainer({ db, writer, blobs, texts, queue, log, onReady }),
    asking: new AskService({ db, log, chat: await createChat(config), embeddings }),
    cases,
    exchange: new CaseExchange({ db, writer, accounts, cases, limitations, storage }),
    tasks,
    events,
    ...createAudit(db, writer, cases),
    ...createDeadlines({ db, writer, accounts, cases, firm }),
    dashboard: new DashboardService(cases, tasks),
    texting,
    mails,
    threads,
    queue,
    messageJobs: new MessageJobs({ ...texting.parts, ...texting, queue }),
    mailJobs: new MailJobs({ ...mails, db, queue, listeners: () => realtime.listeners() }),
    rounds: [
      accountRound(db, accounts),
      accessRound(access),
      limitationRound(limitations),
      taskRound(db),
      calendarRound(events.upkeep),
      fileRound(files, owner),
      trainingRound(training),
      sealRound(db),
    ],
  };
}

/** Whether no other process can be working on this database. */
function isAlone({ config, seat = ONLY }: Parts): boolean {
  return !config.databaseUrl && seat.isFirst;
}

async function startAllJobs(app: Serving): Promise<void> {
  const { config, services } = app;
  const { queue, messageJobs, trainer, mailJobs, passwords, rounds } = services;
  await queue.start();
  await messageJobs.start({ isAlone: isAlone(app) });
  // A training takes a core and much memory.
  if (!isTrainedElsewhere(config)) await trainer.start(config.processes > 1 ? 1 : undefined);
  await mailJobs.start();
  await services.post.start((email, from) => passwords.writeForgotten(email, from));
  for (const round of rounds) await queue.repeat(round);
}

/** A separate AI host trains only when it reaches the same database. */
function isTrainedElsewhere({ aiUrl, databaseUrl }: Config): boolean {
  return aiUrl !== undefined && databaseUrl !== undefined;
}

async function serveEverything({ http, config, services, binder, sockets, log }: Serving) {
  const { accounts } = services;
  await http.register(cookie);
  acceptForms(http);
  await http.register(multipart);
  bindRoutes(binder, services, config);
  requireWholeContract(binder);
  const description = describeApi();
  http.get('/api/v1/openapi.json', async () => description);
  serveFrames(http);
  await servePages(http, config);
  const guard = guardSockets(
    sockets.io,
    { ownerOf: (token) => accounts.ownerOf(token), alive: (ids) => accounts.alive(ids) },
    log,
  );
  http.addHook('preClose', async () => guard.stop());
}

function bindRoutes(binder: Binder, services: Services, config: Config) {
  bindIntegrations(binder, missingSetupOf(config));
  bindPeople(binder, services, new Cookies(config.publicUrl));
  bindCases(binder, services);
  bindFirm(binder, services.firm);
  bindAccess(binder, services.access);
  bindDeadlines(binder, services);
  bindAudit(binder, services);
  bindTasks(binder, services.tasks);
  bindCalendar(binder, services.events);
  bindFiles(binder, services, config.maxUploadBytes);
  bindStorage(binder, services.storage);
  bindAi(binder, services.training);
  bindAsking(binder, services.asking);
  bindDashboard(binder, services.dashboard);
  bindMessages(binder, services.texting);
  bindWebhooks(binder, services.texting.inbound);
  bindMails(binder, services.mails);
}

/** Refuses to start with contract routes that lack a handler, or with others that have one. */
function requireWholeContract(binder: Binder) {
  const odd = binder.differing(routes).map((route) => `${route.method} ${route.path}`);
  if (odd.length > 0) throw new Error(`Not both in the contract and bound: ${odd.join(', ')}`);
}
