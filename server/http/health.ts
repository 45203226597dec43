import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isLocalRequest } from './client.ts';

type Checks = {
  /** Each rejects while its service is unavailable. */
  database: () => Promise<unknown>;
  storage: () => Promise<unknown>;
  /** Whether little room is left for files. */
  isStorageLow: () => Promise<boolean>;
  /** New matters and names that wait for their conflict check. */
  countWaiting: () => Promise<{ cases: number; names: number }>;
  /** Adds the metrics of the processes that share the port. */
  gatherMetrics: (registry: Registry) => () => Promise<string>;
  metricsToken: string | undefined;
};

/** `/healthz`: the process is up. `/readyz`: the database and the storage respond. `/metrics`: for Prometheus. */
export function serveHealth(app: FastifyInstance, checks: Checks): { drain: () => void } {
  let isDraining = false;
  app.get('/healthz', async () => ({ status: 'up' }));
  app.get('/readyz', async (_request, reply) => {
    // HAProxy reads 404 as: finish here, begin nothing new.
    if (isDraining) return reply.code(404).send({ status: 'stopping' });
    const [database, storage] = await Promise.allSettled([checks.database(), checks.storage()]);
    if (database.status === 'fulfilled' && storage.status === 'fulfilled') {
      const isLow = await checks.isStorageLow().catch(() => false);
      return { status: 'ready', ...(isLow && { storage: 'low' }) };
    }
    const [what, failed] =
      database.status === 'rejected'
        ? ['database unavailable', database]
        : ['storage unavailable', storage];
    const reason = failed.status === 'rejected' ? String(failed.reason) : '';
    app.log.warn({ reason }, 'not ready');
    return reply.code(503).header('retry-after', '2').send({ status: what });
  });
  serveMetrics(app, checks);
  return { drain: () => void (isDraining = true) };
}

function serveMetrics(
  app: FastifyInstance,
  { countWaiting, gatherMetrics, metricsToken }: Checks,
): void {
  const registry = Registry.merge([metricsOfProcess()]);
  const waitingChecks = new Gauge({
    name: 'conflict_checks_waiting',
    help: 'New matters and names that wait for their conflict check, in the whole database',
    labelNames: ['kind'],
    // Each process that shares the port counts the same rows.
    aggregator: 'first',
    registers: [],
    async collect() {
      // The other metrics are served without the database too.
      const waiting = await countWaiting().catch(() => undefined);
      this.reset();
      for (const [kind, count] of Object.entries(waiting ?? {})) this.set({ kind }, count);
    },
  });
  registry.registerMetric(waitingChecks);
  const gather = gatherMetrics(registry);
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from request to reply, by route pattern',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    seconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  app.get('/metrics', async (request, reply) =>
    mayReadMetrics(request, metricsToken)
      ? reply.type(registry.contentType).send(await gather())
      : reply.code(403).send({ status: 'METRICS_TOKEN is required from elsewhere' }),
  );
}

let ofProcess: Registry | undefined;

/** Node's metrics, once for each process: a timer and an observer that never end measure them. */
function metricsOfProcess(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Whether metrics are for this caller: a program on this machine, or one with the token. */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const { authorization = '' } = request.headers;
  return (
    (token !== undefined && isSame(authorization, `Bearer ${token}`)) || isLocalRequest(request)
  );
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
