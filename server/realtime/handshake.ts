import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import type { KnownHosts } from '../http/known-hosts.ts';
import type { SocketServer } from './publisher.ts';

/** Refuses sockets by foreign names, and of foreign pages, before they are opened. */
export function guardHandshakes(io: SocketServer, hosts: KnownHosts): void {
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const { host, origin, upgrade } = request.headers;
    const refusal = !hosts.admits(request)
      ? errorCodes.wrongHost
      : origin !== undefined && !hosts.admitsPageOf(origin, host)
        ? errorCodes.notPermitted
        : undefined;
    if (!refusal) return next();
    const { status, message } = refusal;
    if (upgrade === undefined) return void response.writeHead(status).end(message);
    // An upgrade has no response yet.
    return void request.socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
  });
}

/** Milliseconds for the peer of a closed web socket to close it, too. */
const CLOSING = 1000;

type Connection = {
  once: (event: 'close', work: () => void) => void;
  transport: { socket?: { terminate?: () => void } };
};

/** Ends web sockets whose peer ignores that they were closed; otherwise each would stay for half a minute. */
export function endClosedSockets(io: SocketServer): void {
  io.engine.on('connection', (connection: Connection) =>
    connection.once('close', () => {
      const { socket } = connection.transport;
      setTimeout(() => socket?.terminate?.(), CLOSING).unref();
    }),
  );
}
