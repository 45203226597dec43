import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type IncomingMessage } from 'node:http';
import { fastify, LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { withOrigin } from '../core/origin.ts';
import type { Log } from '../log.ts';
import { clientOf } from './client.ts';
import { HEADERS_TIMEOUT_MS, outlastUploads } from './connections.ts';
import { replyWithError } from './error-reply.ts';

/** The HTTP server without routes: logging, errors and timeouts. */
export function createHttp(config: Config, log: Log): FastifyInstance {
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    trustProxy: (_address, hop) => hop < config.trustProxy,
    genReqId: () => randomUUID(),
    // Keep serving open connections while closing, without Fastify's built-in 503.
    return503OnClosing: false,
    // Longer than any address that the parser accepts.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: false },
    requestTimeout: 0,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 1000 },
    keepAliveTimeout: 72_000,
    // A slow start on a busy machine is not a failure.
    pluginTimeout: 0,
    // The contract validates and the services serialize, so that every start is spared a hundred modules of compilers.
    schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
  });
  http.server.prependListener('request', (request: IncomingMessage) => {
    request.url = plainUrl(request.url ?? '/');
  });
  http.setErrorHandler(replyWithError);
  rememberOrigins(http as unknown as FastifyInstance);
  outlastUploads(http as unknown as FastifyInstance);
  http.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId } = request;
    const route = request.routeOptions.url ?? 'none';
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
    log.info({ requestId, method, route, status: reply.statusCode, milliseconds }, 'request');
  });
  return http as unknown as FastifyInstance;
}

/** @throws Error for a route that brings a JSON schema */
function refuse(): never {
  throw new Error('Routes are declared by the contract, not by JSON schemas');
}

/** Remembers for each request where it comes from. */
function rememberOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => withOrigin(originOf(request), done));
  // A body is read by events of the connection, which do not belong to the request.
  app.addHook('preValidation', (request, _reply, done) => withOrigin(originOf(request), done));
}

function originOf(request: FastifyRequest) {
  const agent = request.headers['user-agent'] ?? null;
  return { address: clientOf(request).address, agent, requestId: request.id };
}

/**
 * Normalizes a request's address for the router: removes the origin, and escapes invalid percent encodings and zero
 * bytes, which no store takes, so that they get the same refusals as any other address.
 */
export function plainUrl(url: string): string {
  const own = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = own.search(/[?#]/);
  const path = end < 0 ? own : own.slice(0, end);
  if (isDecodable(path)) return own || '/';
  return path.replaceAll('%', '%25') + own.slice(path.length);
}

function isDecodable(path: string) {
  if (!path.includes('%')) return true;
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
