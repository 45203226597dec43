import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser need not ask again. */
const REMEMBER = 7200;

/** Lets the pages of one origin call this host; a browser keeps those of every other one away. */
export function letIn(app: FastifyInstance, origin: string): void {
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
        'access-control-max-age': String(REMEMBER),
      })
      .code(204)
      .send();
  });
}
