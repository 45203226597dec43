import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { socketOptions } from '@matterdesk/contract/socket.ts';
import type { Log } from '../log.ts';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/**
 * Adds the usual headers and log line to long-polling replies, which Socket.IO sends without the application. Must be
 * called after Socket.IO is attached, because Socket.IO bypasses listeners that were added before it.
 */
export function guardSocketReplies(server: Server, log: Log): void {
  const route = `${socketOptions.path}/`;
  server.prependListener('request', (request, response) => {
    if (!request.url?.startsWith(route)) return;
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.setHeaders(new Map(Object.entries({ ...HEADERS, 'x-request-id': requestId })));
    response.once('close', () => {
      const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
      const { statusCode: status } = response;
      log.info({ requestId, method: request.method, route, status, milliseconds }, 'request');
    });
  });
}
