import { fastify, LogController, type FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type IncomingMessage } from 'node:http';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { replyWithError } from './error-reply.ts';
import { rememberOrigins } from './origin.ts';
import { plainUrl } from './plain-url.ts';
import { HEADERS_PATIENCE, outlastUploads } from './slow-clients.ts';

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
    http: { headersTimeout: HEADERS_PATIENCE, connectionsCheckingInterval: 1000 },
    keepAliveTimeout: 72_000,
    // A slow start on a busy machine is not a failure.
    pluginTimeout: 0,
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
