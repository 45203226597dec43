import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser caches the preflight reply. */
const MAX_AGE = 7200;

/** Allows the pages of one other origin to call this host. */
export function allowOrigin(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('vary', 'origin');
    if (request.headers.origin !== origin) return undefined;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'x-request-id, retry-after',
    });
    if (request.method !== 'OPTIONS') return undefined;
    return reply
      .headers({
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'content-type, x-auth-token, x-socket-id',
        'access-control-max-age': String(MAX_AGE),
      })
      .code(204)
      .send();
  });
}
