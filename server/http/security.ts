import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { readBuildName } from './build-name.ts';

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
  });
  const build = readBuildName();
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (build !== undefined) void reply.header('x-build', build);
    if (/^\/(api\/v1|ai)(\/|$|\?)/.test(request.url))
      void reply.header('cache-control', 'no-store');
  });
}
