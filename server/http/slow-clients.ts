import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Milliseconds: for a body, and for each portion of an upload. */
export type BodyTimeouts = { body: number; upload: number };

/** For the headers of a request, in milliseconds. */
export const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUTS_MS: BodyTimeouts = { body: 30_000, upload: 60_000 };
/** Bytes that an upload brings at least in that time: 4 KB a second, as the slowest mobile networks do. */
const PORTION = 240_000;
/** Looks at an upload within its time, which does not count while the server itself is behind. */
const CHECKS_PER_PORTION = 60;
/** Milliseconds for a reply to leave before its connection is closed. */
const CLOSE_TIMEOUT_MS = 1000;

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

const bodies = new WeakMap<IncomingMessage, Body>();

/** Ends bodies that take too long, for Fastify and for the realtime socket alike. */
export function endSlowClients(server: Server, patience: BodyTimeouts = BODY_TIMEOUTS_MS): void {
  server.prependListener('request', (request, response) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (Number(length) > 0 || encoding !== undefined)
      bodies.set(request, new Body(request, response, patience));
  });
}

/** Gives a body the time of an upload. Only its route knows that it is one, and that its sender was admitted. */
export function expectUpload(request: IncomingMessage): void {
  bodies.get(request)?.expectPortions();
}

/**
 * Keeps a connection open whose upload is answered before it has ended, though the client wanted it closed: closing it would
 * reset it, and a client that still sends would lose the reply (RFC 9112, section 9.6).
 */
export function outlastUploads(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw, routeOptions }, reply) => {
    if (!raw.complete && routeOptions.config.takesFiles) reply.raw.shouldKeepAlive = true;
  });
}

class Body {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #patience: BodyTimeouts;
  #timer: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, patience: BodyTimeouts) {
    this.#request = request;
    this.#response = response;
    this.#patience = patience;
    this.#expectEnd();
    request.once('close', () => clearInterval(this.#timer));
  }

  #expectEnd(): void {
    clearInterval(this.#timer);
    if (!this.#request.closed) this.#timer = setTimeout(() => this.#end(), this.#patience.body);
  }

  /** Compares the bytes of the connection, since a listener for data would start the body too early. */
  expectPortions(): void {
    clearInterval(this.#timer);
    if (this.#request.closed) return;
    const { socket } = this.#request;
    let before = socket.bytesRead;
    let looks = 0;
    this.#timer = setInterval(() => {
      if (!this.#isReading) return;
      looks += 1;
      if (looks < CHECKS_PER_PORTION) return;
      if (socket.bytesRead - before < PORTION) this.#end();
      before = socket.bytesRead;
      looks = 0;
    }, this.#patience.upload / CHECKS_PER_PORTION);
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
