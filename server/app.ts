import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import { fastify, LogController, type FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type IncomingMessage } from 'node:http';
import { routes } from '@matterdesk/contract/routes.ts';
import type { Config } from './config.ts';
import { openDatabase, type Pool } from './db/connect.ts';
import type { Database } from './db/schema.ts';
import { Writer } from './db/unit-of-work.ts';
import { bindAccounts } from './features/accounts/routes.ts';
import { AccountService } from './features/accounts/service.ts';
import { bindAi } from './features/ai/routes.ts';
import { Trainer } from './features/ai/jobs.ts';
import { TrainingService } from './features/ai/service.training.ts';
import { bindAsking } from './features/ai/routes.asking.ts';
import { AskService } from './features/ai/service.asking.ts';
import { Embeddings } from './features/ai/service.embeddings.ts';
import { bindAudit } from './features/audit/routes.ts';
import { AuditService } from './features/audit/service.ts';
import { bindCases } from './features/cases/routes.ts';
import { CaseExchange, CaseService } from './features/cases/service.ts';
import { bindDashboard } from './features/dashboard/routes.ts';
import { DashboardService } from './features/dashboard/service.ts';
import { bindFiles } from './features/files/routes.ts';
import { FileService } from './features/files/service.ts';
import { FileTexts } from './features/files/service.training.ts';
import { bindTasks } from './features/tasks/routes.ts';
import { TaskService } from './features/tasks/service.ts';
import { createGate } from './http/authenticate.ts';
import { Binder } from './http/bind.ts';
import { watchConnections } from './http/connections.ts';
import { replyWithError } from './http/error-reply.ts';
import { serveHealth } from './http/health.ts';
import { acceptJson } from './http/json-body.ts';
import { describeApi } from './http/openapi.ts';
import { servePages } from './http/pages.ts';
import { plainUrl } from './http/plain-url.ts';
import { setSecurityHeaders } from './http/security.ts';
import { SessionCookie } from './http/session-cookie.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import { guardSocketReplies } from './http/socket-replies.ts';
import type { ChatModel } from './integrations/model/chat.ts';
import { Similarity } from './integrations/model/similarity.ts';
import { Queue } from './jobs/queue.ts';
import type { Log } from './log.ts';
import { Realtime } from './realtime/publisher.ts';
import { createSocketServer, guardSockets } from './realtime/server.ts';

type Parts = { config: Config; pool: Pool; blobs: BlobStore; log: Log };
export type App = {
  http: FastifyInstance;
  db: Database;
  files: FileService;
  training: TrainingService;
  asking: AskService;
  /** Begins work on what waits. Needs the newest schema. */
  startJobs: () => Promise<void>;
};

/** Puts the whole application together, ready to listen. Closing `http` closes the sockets too. */
export async function buildApp({ config, pool, blobs, log }: Parts): Promise<App> {
  const db = openDatabase(pool);
  const http = createHttp(config, log);
  const sockets = createSocketServer({ http: http.server, pool, log });
  guardSocketReplies(http.server, log);
  const writer = new Writer(db, new Realtime(sockets));
  await http.register(cookie);
  await setSecurityHeaders(http, config.publicUrl);
  acceptJson(http);
  await http.register(multipart);
  serveHealth(http, db);
  const accounts = new AccountService(db, writer, config.registration);
  const { maxUploadBytes } = config;
  const files = new FileService({ db, writer, blobs, owner: config.dataDir, maxUploadBytes });
  const texts = new FileTexts(db, files);
  const queue = new Queue(pool, log);
  const training = new TrainingService({ db, writer, files, texts, queue });
  const embeddings = await createEmbeddings({ config, db, log, http });
  const onReady = (documentId: string) => void embeddings?.prepare(documentId);
  const trainer = new Trainer({ db, writer, blobs, texts, queue, log, onReady });
  const cases = new CaseService(db, writer, accounts);
  const tasks = new TaskService(db, writer, { accounts, cases });
  const binder = new Binder(
    http,
    createGate((token) => accounts.ownerOf(token)),
  );
  bindAccounts(binder, accounts, new SessionCookie(config.publicUrl));
  bindCases(binder, cases, new CaseExchange({ db, writer, accounts, cases }));
  bindAudit(binder, new AuditService(db, cases));
  bindTasks(binder, tasks);
  bindFiles(binder, { files, texts }, maxUploadBytes);
  bindAi(binder, training);
  const asking = new AskService({ db, log, chat: await createChat(config), embeddings });
  bindAsking(binder, asking);
  bindDashboard(binder, new DashboardService(cases, tasks));
  requireWholeContract(binder);
  const description = describeApi();
  http.get('/api/v1/openapi.json', async () => description);
  await servePages(http);
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
    await sockets.close();
  });
  const startJobs = async () => {
    await queue.start();
    if (!config.databaseUrl) await queue.takeBack('train');
    await trainer.start();
  };
  return { http, db, files, training, asking, startJobs };
}

async function createChat({ model }: Config): Promise<ChatModel | undefined> {
  if (model?.chatModel === undefined) return undefined;
  const { ChatModel } = await import('./integrations/model/chat.ts');
  return new ChatModel(model, model.chatModel);
}

type EmbeddingParts = { config: Config; db: Database; log: Log; http: FastifyInstance };

async function createEmbeddings({ config: { model }, db, log, http }: EmbeddingParts) {
  if (model?.embeddingModel === undefined) return undefined;
  const { Embedder } = await import('./integrations/model/embedder.ts');
  const similarity = new Similarity();
  http.addHook('onClose', () => similarity.close());
  return new Embeddings({
    db,
    log,
    similarity,
    embedder: new Embedder(model, model.embeddingModel),
  });
}

function createHttp(config: Config, log: Log): FastifyInstance {
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    trustProxy: (_address, hop) => hop < config.trustProxy,
    genReqId: () => randomUUID(),
    // Whoever asks on a connection that is still there is answered, and nobody by Fastify's own words.
    return503OnClosing: false,
    // Longer than any address that the parser lets through.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: false },
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
  });
  http.server.prependListener('request', (request: IncomingMessage) => {
    request.url = plainUrl(request.url ?? '/');
  });
  http.setErrorHandler(replyWithError);
  http.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId } = request;
    const route = request.routeOptions.url ?? 'none';
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    log.info({ requestId, method, route, status: reply.statusCode, milliseconds }, 'request');
  });
  return http as unknown as FastifyInstance;
}

/** A route that is promised but not built is a defect that no start should hide. */
function requireWholeContract(binder: Binder) {
  const missing = binder.missing(routes).map((route) => `${route.method} ${route.path}`);
  if (missing.length > 0) throw new Error(`No handler for ${missing.join(', ')}`);
}
