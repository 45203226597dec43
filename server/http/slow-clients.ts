import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds. */
export type Patience = { body: number; uploadIdle: number };

/** For the headers of a request, in milliseconds. */
export const HEADERS_PATIENCE = 10_000;
const PATIENCE: Patience = { body: 30_000, uploadIdle: 60_000 };

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Ends bodies that take too long, and uploads that bring nothing. */
export function endSlowClients(app: FastifyInstance, patience: Patience = PATIENCE): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // Requests that tests inject have no connection.
    if (!raw.complete && raw.socket instanceof Socket) {
      const end = () => {
        if (raw.complete || raw.destroyed) return;
        if (!reply.raw.headersSent) raw.socket.write(TIMED_OUT);
        raw.socket.destroySoon();
      };
      if (isUpload(raw)) endWhenIdle(raw, patience.uploadIdle, end);
      else endAfter(raw, patience.body, end);
    }
    done();
  });
}

/**
 * Keeps a connection open whose upload is answered before it has ended, though the client wanted it closed: closing it would
 * reset it, and a client that still sends would lose the reply (RFC 9112, section 9.6).
 */
export function outlastUploads(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (!raw.complete && isUpload(raw)) reply.raw.shouldKeepAlive = true;
  });
}

function isUpload({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;
}

function endAfter(raw: IncomingMessage, milliseconds: number, end: () => void): void {
  const timer = setTimeout(end, milliseconds);
  raw.once('close', () => clearTimeout(timer));
}

/** Compares the bytes of the connection, since a listener for data would start the body too early. */
function endWhenIdle(raw: IncomingMessage, milliseconds: number, end: () => void): void {
  let before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    // A body that waits for the disk is not the client's fault.
    if (raw.socket.bytesRead === before && !raw.socket.isPaused()) end();
    before = raw.socket.bytesRead;
  }, milliseconds);
  raw.once('close', () => clearInterval(timer));
}
