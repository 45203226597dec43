import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

type Origins = Pick<Config, 'publicUrl' | 'aiUrl'>;

/** Sets the headers of every reply: what our pages may load, and that no site may frame them. */
export async function setSecurityHeaders(app: FastifyInstance, { publicUrl, aiUrl }: Origins) {
  const aiOrigin = aiUrl === undefined ? [] : [new URL(aiUrl).origin];
  const socketOrigin = publicUrl.replace(/^http/, 'ws');
  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", socketOrigin, ...aiOrigin],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    // Internet Explorer, Flash and a filter that browsers have dropped: each file of the first page would carry them.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const build = readBuildName();
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (build !== undefined) void reply.header('x-build', build);
    if (/^\/(api\/v1|ai)(\/|$|\?)/.test(request.url))
      void reply.header('cache-control', 'no-store');
  });
}

/** Seconds for which a browser caches the preflight reply. */
const MAX_AGE = 7200;

/** Allows the pages of one other origin to call this host. */
export function allowOrigin(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('vary', 'origin');
    if (request.headers.origin !== origin) return undefined;
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'x-request-id, retry-after',
    });
    if (request.method !== 'OPTIONS') return undefined;
    return reply
      .headers({
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'content-type, x-auth-token, x-socket-id',
        'access-control-max-age': String(MAX_AGE),
      })
      .code(204)
      .send();
  });
}

/** File in which the client build leaves the hash of its sources. */
export const BUILD_STAMP = 'client/dist/.matterdesk-build';

const LENGTH = 16;

/** Names the built client, for pages to notice that the server has another one; undefined before the first build. */
export function readBuildName(): string | undefined {
  const file = path.resolve(import.meta.dirname, '../..', BUILD_STAMP);
  return existsSync(file) ? readFileSync(file, 'utf8').slice(0, LENGTH) : undefined;
}
