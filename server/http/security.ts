import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Headers on every reply: what a page of ours may load, and that nobody frames it. */
export async function setSecurityHeaders(app: FastifyInstance, publicUrl: string) {
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
        connectSrc: ["'self'", socketOrigin],
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
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    if (/^\/(api\/v1|ai)(\/|$|\?)/.test(request.url))
      void reply.header('cache-control', 'no-store');
  });
}
