// The server: assembly, configuration and start; everything else is in folders.

import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { createServer } from 'node:http';
import { routes } from '@matterdesk/contract/routes.ts';
import type { Config } from './config.ts';
import { openDatabase, ping } from './db/connect.ts';
import type { Database } from './db/schema.ts';
import { bindAccess } from './features/access/routes.ts';
import { bindPeople } from './features/accounts/routes.assembly.ts';
import { bindAi, bindTrainAll } from './features/ai/training/routes.ts';
import { bindAsking } from './features/ai/answering/routes.ts';
import { bindAudit } from './features/audit/routes.ts';
import { bindExchange } from './features/calendar/exchange/routes.ts';
import { bindFeeds } from './features/calendar/feeds/routes.ts';
import { bindEventInvitations } from './features/calendar/invitations/routes.ts';
import { bindCalendar } from './features/calendar/routes.ts';
import { bindCases } from './features/cases/routes.ts';
import { bindConflicts } from './features/conflicts/routes.ts';
import { bindContacts } from './features/contacts/routes.ts';
import { bindDashboard } from './features/dashboard/routes.ts';
import { bindDeadlines } from './features/deadlines/routes.ts';
import { bindFiles } from './features/files/routes.ts';
import { bindFirm } from './features/firm/routes.ts';
import { serveForms } from './features/intakes/forms/routes.ts';
import { bindIntakes } from './features/intakes/routes.ts';
import { bindMails } from './features/mails/routes.ts';
import { bindMessages } from './features/messages/routes.ts';
import { bindWebhooks } from './features/messages/inbound/routes.ts';
import { bindNotices } from './features/notices/routes.ts';
import { bindStorage } from './features/storage/routes.ts';
import { bindTasks } from './features/tasks/routes.ts';
import { createGate } from './http/authenticate.ts';
import { Binder } from './http/bind.ts';
import { compressReplies } from './http/compress.ts';
import { limitConnections, watchConnections } from './http/connections.ts';
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
import { endSlowClients } from './http/slow-clients.ts';
import { guardSocketReplies } from './http/socket-replies.ts';
import { gatherMetrics } from './processes/worker.ts';
import { endStrangers, guardHandshakes } from './realtime/handshake.ts';
import { createSocketServer, guardSockets } from './realtime/server.ts';
import { buildServices, isAlone, type Foundation, type Parts } from './app.services.ts';

type Services = Awaited<ReturnType<typeof buildServices>>;
type Serving = Foundation & { services: Services; binder: Binder; drain: () => void };

export type App = {
  http: FastifyInstance;
  db: Database;
  services: Services;
  /** Starts background jobs, perhaps without some rounds. Needs the newest schema. */
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
  endStrangers(sockets.io);
  guardSocketReplies(http.server, parts.log);
  const app = await build({ ...parts, http, sockets });
  await serveEverything(app);
  return { ...app, startJobs: (except) => startAllJobs(app, except) };
}

/** The AI service alone, for the pages of another process on the same database; ready to listen. */
export async function buildAiHost(parts: Parts): Promise<App> {
  const http = createHttp(parts.config, parts.log);
  limitConnections(http, parts.config);
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
  endSlowClients(http.server);
  const connections = watchConnections(http.server);
  http.addHook('preClose', async () => {
    connections.endIdle();
    await services.queue.stop();
    await services.messageJobs.stop();
    await services.mailJobs.stop();
    await services.mails.reading.close();
    await services.threads.close();
    await sockets.close();
  });
  return { ...parts, db, services, binder, drain };
}

async function startAllJobs(app: Serving, except: string[] = []): Promise<void> {
  const { config, services } = app;
  const { queue, messageJobs, trainer, mailJobs, passwords, rounds } = services;
  await queue.start();
  await messageJobs.start({ isAlone: isAlone(app) });
  // A training takes a core and much memory.
  if (!isTrainedElsewhere(config)) await trainer.start(config.processes > 1 ? 1 : undefined);
  await mailJobs.start();
  await services.noticeMails.start();
  await services.post.start((email, from) => passwords.writeForgotten(email, from));
  for (const round of rounds) if (!except.includes(round.name)) await queue.repeat(round);
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
  serveForms(http, services.intaking.pages);
  await servePages(http, config);
  const guard = guardSockets(
    sockets.io,
    { ownerOf: (token) => accounts.ownerOf(token), ended: (open) => accounts.ended(open) },
    log,
  );
  http.addHook('preClose', async () => guard.stop());
}

function bindRoutes(binder: Binder, services: Services, config: Config) {
  bindIntegrations(binder, missingSetupOf(config));
  bindPeople(binder, services, new Cookies(config.publicUrl));
  bindCases(binder, services);
  bindFirm(binder, services.firm);
  bindAccess(binder, services);
  bindDeadlines(binder, services);
  bindConflicts(binder, services.conflicts);
  bindAudit(binder, services);
  bindTasks(binder, { tasks: services.tasks, lists: services.taskLists });
  bindContacts(binder, services);
  bindCalendar(binder, services.events);
  bindExchange(binder, services.events.exchange);
  bindFeeds(binder, services.events.feeds);
  bindEventInvitations(binder, services);
  bindFiles(binder, services, config.maxUploadBytes);
  bindIntakes(binder, services.intaking, config.maxUploadBytes);
  bindStorage(binder, services.storage);
  bindAi(binder, services.training);
  bindTrainAll(binder, services.training);
  bindAsking(binder, services.asking);
  bindNotices(binder, services);
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
