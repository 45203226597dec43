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
