import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import type { Admission } from '../http/connections.ts';
import type { KnownHosts } from '../http/known-hosts.ts';
import type { SocketServer } from './publisher.ts';

/** Refuses sockets by foreign names, of foreign pages and of clients with too many, before they are opened. */
export function guardHandshakes(io: SocketServer, hosts: KnownHosts, admit: Admission): void {
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const { host, origin, upgrade } = request.headers;
    const refusal = !hosts.admits(request)
      ? errorCodes.wrongHost
      : origin !== undefined && !hosts.admitsPageOf(origin, host)
        ? errorCodes.notPermitted
        : admit(request, upgrade === undefined ? response : request.socket)
          ? undefined
          : errorCodes.tooManyAttempts;
    if (!refusal) return next();
    const { status, message } = refusal;
    if (upgrade === undefined) return void response.writeHead(status).end(message);
    // An upgrade has no response yet.
    return void request.socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
  });
}

/** Milliseconds until a connection has been admitted with its token. */
const ADMISSION_TIMEOUT = 5000;
/** Milliseconds for the peer of a closed web socket to close it, too. */
const CLOSING = 1000;

/** Later than ours: Socket.IO waits for a polling client to fetch what is left for it. */
export const LATE_TIMEOUT = 2 * ADMISSION_TIMEOUT;

type Connection = {
  once: (event: 'close', work: () => void) => void;
  close: (isDiscarded: true) => void;
  transport: { socket?: { terminate?: () => void } };
};

/**
 * Ends connections that bring no valid token, by polling too, and web sockets whose peer ignores that they were closed:
 * each would stay for half a minute and more otherwise.
 */
export function endStrangers(io: SocketServer): void {
  const admitted = new WeakSet();
  io.on('connection', ({ conn }) => void admitted.add(conn));
  io.engine.on('connection', (connection: Connection) => {
    const timer = setTimeout(() => {
      if (!admitted.has(connection)) connection.close(true);
    }, ADMISSION_TIMEOUT);
    connection.once('close', () => {
      clearTimeout(timer);
      const { socket } = connection.transport;
      setTimeout(() => socket?.terminate?.(), CLOSING).unref();
    });
  });
}
