import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf, type Network } from '../core/origin.ts';
import { Refusal } from '../core/refusal.ts';
import { clientOfRaw } from './client.ts';

const CHECK_INTERVAL_MS = 25;
/** Open connections of one client with all processes of a machine: an office of 200 people with ten each. */
export const MAX_CONNECTIONS_PER_CLIENT = 2000;

/**
 * Tracks which connections have a request in flight. `endIdle` ends all others, and each busy one after its reply,
 * until the server is closed: Node itself waits for silent clients, and for busy connections until their keep-alive
 * ends.
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
  const admit = countUpTo(Math.ceil(MAX_CONNECTIONS_PER_CLIENT / processes));
  if (trustProxy === 0) {
    http.server.on('connection', (socket: Socket) => {
      if (!admit(networkOf(socket.remoteAddress ?? ''), socket)) socket.destroy();
    });
    return () => true;
  }
  const admitNamed: Admission = (request, connection) => {
    const client = clientOfRaw(request, trustProxy);
    // A proxy that forwards no address is the client itself, as in its health checks.
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

/** Milliseconds: for a body, and for each portion of an upload. */
type BodyTimeouts = { body: number; upload: number };

/** For the headers of a request, in milliseconds. */
export const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUTS_MS: BodyTimeouts = { body: 30_000, upload: 60_000 };
/** Bytes that an upload brings at least in that time: 4 KB a second, as the slowest mobile networks do. */
const PORTION_BYTES = 240_000;
/** Looks at an upload within its time, which does not count while the server itself is behind. */
const CHECKS_PER_PORTION = 60;
/** Milliseconds for a reply to leave before its connection is closed. */
const CLOSE_TIMEOUT_MS = 1000;

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

const bodies = new WeakMap<IncomingMessage, Body>();

/** Ends bodies that take too long, for Fastify and for the realtime socket alike. */
export function endSlowClients(server: Server, timeouts: BodyTimeouts = BODY_TIMEOUTS_MS): void {
  server.prependListener('request', (request, response) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (Number(length) > 0 || encoding !== undefined)
      bodies.set(request, new Body(request, response, timeouts));
  });
}

/** Gives a body the time of an upload. Only its route knows that it is one, and that its sender was admitted. */
export function expectUpload(request: IncomingMessage): void {
  bodies.get(request)?.expectPortions();
}

/**
 * Keeps a connection open whose upload is answered before it has ended, though the client wanted it closed: closing it
 * would reset it, and a client that still sends would lose the reply (RFC 9112, section 9.6).
 */
export function outlastUploads(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw, routeOptions }, reply) => {
    if (!raw.complete && routeOptions.config.takesFiles) reply.raw.shouldKeepAlive = true;
  });
}

class Body {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #timeouts: BodyTimeouts;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, timeouts: BodyTimeouts) {
    this.#request = request;
    this.#response = response;
    this.#timeouts = timeouts;
    this.#expectEnd();
    request.once('close', () => clearInterval(this.#timer));
  }

  #expectEnd(): void {
    clearInterval(this.#timer);
    if (!this.#request.closed) this.#timer = setTimeout(() => this.#end(), this.#timeouts.body);
  }

  /** Compares the bytes of the connection, since a listener for data would start the body too early. */
  expectPortions(): void {
    clearInterval(this.#timer);
    if (this.#request.closed) return;
    const { socket } = this.#request;
    let before = socket.bytesRead;
    let checks = 0;
    this.#timer = setInterval(() => {
      if (!this.#isReading) return;
      checks += 1;
      if (checks < CHECKS_PER_PORTION) return;
      if (socket.bytesRead - before < PORTION_BYTES) this.#end();
      before = socket.bytesRead;
      checks = 0;
    }, this.#timeouts.upload / CHECKS_PER_PORTION);
    // Anything sent after the reply is useless.
    this.#response.once('finish', () => this.#expectEnd());
  }

  /** A body that waits for the disk is not the client's fault. */
  get #isReading(): boolean {
    return this.#request.readableLength < this.#request.readableHighWaterMark;
  }

  #end(): void {
    const { complete, socket } = this.#request;
    if (complete || socket.destroyed) return;
    if (!this.#response.headersSent) socket.write(TIMED_OUT);
    socket.destroySoon();
    setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  }
}
