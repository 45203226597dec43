import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withOrigin } from '../core/origin.ts';
import { clientOf } from './client.ts';

/** Remembers for each request where it comes from. */
export function rememberOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => withOrigin(originOf(request), done));
  // A body is read by events of the connection, which do not belong to the request.
  app.addHook('preValidation', (request, _reply, done) => withOrigin(originOf(request), done));
}

function originOf(request: FastifyRequest) {
  const agent = request.headers['user-agent'] ?? null;
  return { address: clientOf(request).address, agent, requestId: request.id };
}
