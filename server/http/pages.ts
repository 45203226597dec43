import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { replyNoSuchRoute, replyWithError, toRefusal } from './error-reply.ts';

const BUILT_CLIENT = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../client/dist',
);
const NOT_A_PAGE = /^\/(api\/v1|ai|socket\.io|static)(\/|\?|$)/;

/** Serves the built client: hashed files for ever, and its page for every address that is not the API's. */
export async function servePages(app: FastifyInstance) {
  await app.register(serveFiles);
  const page = readPage();
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = /^(GET|HEAD)$/.test(request.method) && !NOT_A_PAGE.test(request.url);
    return isPage ? sendPage(page, reply) : replyNoSuchRoute(request, reply);
  };
  // No such route is the first of all refusals: before the body's type, charset and size.
  app.addHook('onRequest', async (request, reply) =>
    request.is404 ? send(request, reply) : undefined,
  );
  app.setNotFoundHandler(send);
}

async function serveFiles(app: FastifyInstance) {
  const root = path.join(BUILT_CLIENT, 'static');
  if (!existsSync(root)) return;
  // Whatever the library refuses, such as a folder or a way out of it, is not there.
  app.setErrorHandler((error, request, reply) =>
    toRefusal(error).status < 500
      ? replyNoSuchRoute(request, reply)
      : replyWithError(error, request, reply),
  );
  await app.register(fastifyStatic, {
    root,
    prefix: '/static/',
    immutable: true,
    maxAge: '1y',
    index: false,
  });
}

function readPage(): string {
  const file = path.join(BUILT_CLIENT, 'index.html');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
    : '<!doctype html><title>Matterdesk</title><p>The client is not built yet: run npm start.';
}

function sendPage(page: string, reply: FastifyReply) {
  return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
}
