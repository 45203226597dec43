import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf, type Network } from '../core/origin.ts';
import { Refusal } from '../core/refusal.ts';
import { clientOfRaw } from './client.ts';

const CHECK_INTERVAL_MS = 25;
/** Open connections of one client with all processes of a machine: an office of 200 people with ten each. */
export const CONNECTIONS_PER_CLIENT = 2000;

/**
 * Tracks which connections have a request in flight. `endIdle` ends all others, and each busy one after its reply, until
 * the server is closed: Node itself waits for silent clients, and for busy connections until their keep-alive ends.
 */
export function watchConnections(server: Server): { endIdle: () => void } {
  const open = new Set<Socket>();
  const inFlight = new Map<Socket, number>();
  const count = (socket: Socket, by: number) =>
    inFlight.set(socket, (inFlight.get(socket) ?? 0) + by);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      inFlight.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  const end = () => {
    for (const socket of open) if (!inFlight.get(socket)) socket.destroySoon();
  };
  return {
    endIdle() {
      const timer = setInterval(end, CHECK_INTERVAL_MS);
      server.once('close', () => clearInterval(timer));
    },
  };
}

type Closable = { once: (event: 'close', listener: () => void) => unknown };

/** Whether a client may open one more connection, which then counts until it closes. */
export type Admission = (request: IncomingMessage, connection: Closable) => boolean;

/**
 * Limits what one client keeps open with this process. Behind a proxy all connections are the proxy's own, so that the
 * requests in them count for the clients that it names.
 * @returns decides about requests that Fastify does not see
 */
export function limitConnections(
  http: FastifyInstance,
  { trustProxy, processes }: { trustProxy: number; processes: number },
): Admission {
  // The processes of a machine take connections in turn.
  const admit = countUpTo(Math.ceil(CONNECTIONS_PER_CLIENT / processes));
  if (trustProxy === 0) {
    http.server.on('connection', (socket: Socket) => {
      if (!admit(networkOf(socket.remoteAddress ?? ''), socket)) socket.destroy();
    });
    return () => true;
  }
  const admitNamed: Admission = (request, connection) => {
    const client = clientOfRaw(request, trustProxy);
    // A proxy that names no one else asks for itself, as in its health checks.
    return client.address === request.socket.remoteAddress || admit(client.network, connection);
  };
  http.addHook('onRequest', async ({ raw }, reply) => {
    if (!admitNamed(raw, reply.raw))
      throw new Refusal('tooManyAttempts', undefined, { retryAfter: 1 });
  });
  return admitNamed;
}

function countUpTo(most: number) {
  const open = new Map<Network, number>();
  return (client: Network, connection: Closable): boolean => {
    const count = open.get(client) ?? 0;
    if (count >= most) return false;
    open.set(client, count + 1);
    connection.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
    return true;
  };
}
