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
 * Socket.IO answers its long polling past the application: here it gets the headers and the line in the log
 * of every other reply. Called once Socket.IO has its hand on the server, since it keeps from those before.
 */
export function guardSocketReplies(server: Server, log: Log): void {
  const route = `${socketOptions.path}/`;
  server.prependListener('request', (request, response) => {
    if (!request.url?.startsWith(route)) return;
    const requestId = randomUUID();
    const begun = performance.now();
    response.setHeaders(new Map(Object.entries({ ...HEADERS, 'x-request-id': requestId })));
    response.once('close', () => {
      const milliseconds = Math.round((performance.now() - begun) * 10) / 10;
      const { statusCode: status } = response;
      log.info({ requestId, method: request.method, route, status, milliseconds }, 'request');
    });
  });
}
