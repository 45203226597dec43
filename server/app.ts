import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { routes } from '@matterdesk/contract/routes.ts';
import type { Config } from './config.ts';
import { openDatabase, ping, type Pool } from './db/connect.ts';
import type { Database } from './db/schema.ts';
import { Writer } from './db/unit-of-work.ts';
import { bindAccounts } from './features/accounts/routes.ts';
import { AccountService } from './features/accounts/service.ts';
import { bindAi } from './features/ai/training/routes.ts';
import { Trainer } from './features/ai/training/jobs.ts';
import { TrainingService } from './features/ai/training/service.ts';
import { bindAsking } from './features/ai/answering/routes.ts';
import { AskService } from './features/ai/answering/service.ts';
import { createChat, createEmbeddings } from './features/ai/service.models.ts';
import { bindAudit } from './features/audit/routes.ts';
import { AuditService } from './features/audit/service.ts';
import { bindCases } from './features/cases/routes.ts';
import { CaseExchange, CaseService } from './features/cases/service.ts';
import { bindDashboard } from './features/dashboard/routes.ts';
import { DashboardService } from './features/dashboard/service.ts';
import { bindFiles } from './features/files/routes.ts';
import { FileService } from './features/files/service.ts';
import { FileTexts } from './features/files/service.training.ts';
import { MailJobs } from './features/mails/jobs.ts';
import { bindMails } from './features/mails/routes.ts';
import { createMails } from './features/mails/service.ts';
import type { UploadService } from './features/mails/compose/service.uploads.ts';
import type { WatchingService } from './features/mails/push/service.watching.ts';
import { TextKeeper } from './features/messages/jobs.ts';
import { bindMessages } from './features/messages/routes.ts';
import { bindWebhooks } from './features/messages/inbound/routes.ts';
import { createTexting } from './features/messages/service.ts';
import { bindTasks } from './features/tasks/routes.ts';
import { TaskService } from './features/tasks/service.ts';
import { createGate } from './http/authenticate.ts';
import { Binder } from './http/bind.ts';
import { watchConnections } from './http/connections.ts';
import { createHttp } from './http/create.ts';
import { letIn } from './http/cross-origin.ts';
import { serveFrames } from './http/frames.ts';
import { acceptForms } from './http/form-body.ts';
import { serveHealth } from './http/health.ts';
import { bindIntegrations, lackingOf } from './http/integrations.ts';
import { acceptJson } from './http/json-body.ts';
import { describeApi } from './http/openapi.ts';
import { answerUnknown, servePages } from './http/pages.ts';
import { setSecurityHeaders } from './http/security.ts';
import { SessionCookie } from './http/session-cookie.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import { guardSocketReplies } from './http/socket-replies.ts';
import { Queue } from './jobs/queue.ts';
import type { Log } from './log.ts';
import { Realtime } from './realtime/publisher.ts';
import { createSocketServer, guardSockets } from './realtime/server.ts';

type Parts = { config: Config; secretKey: string; pool: Pool; blobs: BlobStore; log: Log };
export type App = {
  http: FastifyInstance;
  db: Database;
  files: FileService;
  training: TrainingService;
  asking: AskService;
  texts: TextKeeper;
  mailJobs: MailJobs;
  mailUploads: UploadService;
  mailWatches: WatchingService;
  /** Begins work on what waits. Needs the newest schema. */
  startJobs: () => Promise<void>;
};

/** Puts the whole application together, ready to listen. Closing `http` closes the sockets too. */
export async function buildApp({ config, secretKey, pool, blobs, log }: Parts): Promise<App> {
  const db = openDatabase(pool);
  const http = createHttp(config, log);
  const sockets = createSocketServer({ http: http.server, pool, log });
  guardSocketReplies(http.server, log);
  const realtime = new Realtime(sockets);
  const writer = new Writer(db, realtime);
  await http.register(cookie);
  await setSecurityHeaders(http, config);
  acceptJson(http);
  acceptForms(http);
  await http.register(multipart);
  serveHealth(http, { database: () => ping(db), storage: () => blobs.ping() });
  const queue = new Queue(pool, log);
  const services = await buildServices({ config, db, writer, blobs, queue, log, http });
  const { accounts, files, training, asking } = services;
  const mails = createMails({ config, secretKey, db, writer, queue, accounts, files, blobs, log });
  const mailJobs = new MailJobs({ ...mails, db, queue, listeners: () => realtime.listeners() });
  const binder = bindRoutes(http, services, config);
  bindMails(binder, mails);
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
  const connections = watchConnections(http.server);
  http.addHook('preClose', async () => {
    guard.stop();
    connections.endIdle();
    await queue.stop();
    await services.textKeeper.stop();
    await mailJobs.stop();
    await mails.close();
    await sockets.close();
  });
  const startJobs = async () => {
    await queue.start();
    if (!config.databaseUrl) await queue.takeBack('train');
    await services.textKeeper.start({ isAlone: !config.databaseUrl });
    if (!isTrainedElsewhere(config)) await services.trainer.start();
    await mailJobs.start();
  };
  const { textKeeper: texts } = services;
  const { uploads: mailUploads, watching: mailWatches } = mails;
  const mail = { mailJobs, mailUploads, mailWatches };
  return { http, db, files, training, asking, texts, ...mail, startJobs };
}

/** With a host of its own the AI service trains there, provided that it reaches the same database. */
function isTrainedElsewhere({ aiUrl, databaseUrl }: Config): boolean {
  return aiUrl !== undefined && databaseUrl !== undefined;
}

/** Processes on several machines share one S3 store, and often the name of their DATA_DIR. */
function ownerOf({ s3, dataDir }: Config): string {
  return s3 ? `${hostname()}:${dataDir}` : dataDir;
}

/** The AI service alone, for the pages of another process on the same database; ready to listen. */
export async function buildAiHost({ config, pool, blobs, log }: Omit<Parts, 'secretKey'>) {
  const db = openDatabase(pool);
  const http = createHttp(config, log);
  // Nobody connects here: what is told reaches the browsers through the other processes.
  const sockets = createSocketServer({ http: createServer(), pool, log });
  const writer = new Writer(db, new Realtime(sockets));
  await setSecurityHeaders(http, config);
  letIn(http, config.publicUrl);
  acceptJson(http);
  serveHealth(http, { database: () => ping(db), storage: () => blobs.ping() });
  const queue = new Queue(pool, log);
  const services = await buildServices({ config, db, writer, blobs, queue, log, http });
  const binder = new Binder(
    http,
    createGate((token) => services.accounts.ownerOf(token)),
    lackingOf(config),
  );
  bindAi(binder, services.training);
  bindAsking(binder, services.asking);
  answerUnknown(http);
  const connections = watchConnections(http.server);
  http.addHook('preClose', async () => {
    connections.endIdle();
    await queue.stop();
    await sockets.close();
  });
  const startJobs = async () => {
    await queue.start();
    await services.trainer.start();
  };
  return { http, db, startJobs };
}

type ServiceParts = {
  config: Config;
  db: Database;
  writer: Writer;
  blobs: BlobStore;
  queue: Queue;
  log: Log;
  http: FastifyInstance;
};
type Services = Awaited<ReturnType<typeof buildServices>>;

async function buildServices({ config, db, writer, blobs, queue, log, http }: ServiceParts) {
  const { maxUploadBytes, registration } = config;
  const accounts = new AccountService(db, writer, registration);
  const files = new FileService({ db, writer, blobs, owner: ownerOf(config), maxUploadBytes });
  const texts = new FileTexts(db, files);
  const training = new TrainingService({ db, writer, files, texts, queue });
  const embeddings = await createEmbeddings({ config, db, log, http });
  const onReady = (documentId: string) => void embeddings?.prepare(documentId);
  const trainer = new Trainer({ db, writer, blobs, texts, queue, log, onReady });
  const asking = new AskService({ db, log, chat: await createChat(config), embeddings });
  const cases = new CaseService(db, writer, accounts);
  const exchange = new CaseExchange({ db, writer, accounts, cases });
  const tasks = new TaskService(db, writer, { accounts, cases });
  const audit = new AuditService(db, cases);
  const dashboard = new DashboardService(cases, tasks);
  const texting = createTexting({ config, db, writer, blobs, log, accounts, cases, files });
  const textKeeper = new TextKeeper({ ...texting.parts, ...texting });
  return {
    texting,
    textKeeper,
    accounts,
    files,
    texts,
    training,
    trainer,
    asking,
    cases,
    exchange,
    tasks,
    audit,
    dashboard,
  };
}

function bindRoutes(http: FastifyInstance, services: Services, config: Config) {
  const { accounts, cases, tasks, files, texts } = services;
  const lacking = lackingOf(config);
  const gate = createGate((token) => accounts.ownerOf(token));
  const binder = new Binder(http, gate, lacking);
  bindIntegrations(binder, lacking);
  bindAccounts(binder, accounts, new SessionCookie(config.publicUrl));
  bindCases(binder, cases, services.exchange);
  bindAudit(binder, services.audit);
  bindTasks(binder, tasks);
  bindFiles(binder, { files, texts }, config.maxUploadBytes);
  bindAi(binder, services.training);
  bindAsking(binder, services.asking);
  bindDashboard(binder, services.dashboard);
  bindMessages(binder, services.texting);
  bindWebhooks(binder, services.texting.inbound);
  return binder;
}

/** A route that is promised but not built is a defect that no start should hide. */
function requireWholeContract(binder: Binder) {
  const missing = binder.missing(routes).map((route) => `${route.method} ${route.path}`);
  if (missing.length > 0) throw new Error(`No handler for ${missing.join(', ')}`);
}
