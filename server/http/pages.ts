import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { frameUrls } from '@matterdesk/contract/frames.ts';
import type { Config } from '../config.ts';
import { acceptedEncoding, varyByEncoding } from './compress.ts';
import { replyNoSuchRoute, replyWithError, toRefusal } from './error-reply.ts';

const BUILT_CLIENT = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  '../../client/dist',
);
/** File in which the client build leaves the hash of its sources. */
export const BUILD_STAMP = 'client/dist/.matterdesk-build';
const BUILD_NAME_LENGTH = 16;
const NOT_A_PAGE = /^\/(api\/v1|ai|socket\.io|static)(\/|\?|$)/;

type PageOptions = Pick<Config, 'aiUrl' | 'sandbox'>;

/** Serves the built client: hashed files as immutable, and its page for every address outside the API. */
export async function servePages(app: FastifyInstance, options: PageOptions) {
  await app.register(serveFiles);
  const page = compressPage(readPage(options));
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = /^(GET|HEAD)$/.test(request.method) && !NOT_A_PAGE.test(request.url);
    return isPage ? sendPage(page, request, reply) : replyNoSuchRoute(request, reply);
  };
  handleUnknownRoutes(app, send);
}

type Send = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Refuses unknown routes before the body's type, charset and size are checked. */
export function handleUnknownRoutes(app: FastifyInstance, send: Send = replyNoSuchRoute): void {
  app.addHook('onRequest', async (request, reply) =>
    request.is404 ? send(request, reply) : undefined,
  );
  app.setNotFoundHandler(send);
}

async function serveFiles(app: FastifyInstance) {
  const root = path.join(BUILT_CLIENT, 'static');
  if (!existsSync(root)) return;
  // Folders and path traversals, which the library refuses, are unknown routes too.
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
    // The only name without a hash of the content.
    setHeaders: (reply, file) => {
      if (file.endsWith('.txt')) void reply.header('cache-control', 'no-cache');
    },
    index: false,
    // The build leaves a Brotli and a gzip version beside each file that gets smaller.
    preCompressed: true,
  });
}

const SANDBOX =
  '<aside class="sandbox" aria-label="Sandbox">Sandbox: nothing leaves this machine</aside>';

/** The client's page, with its build, the address of a separate AI service and the sandbox's label. */
function readPage({ aiUrl, sandbox }: PageOptions): string {
  const file = path.join(BUILT_CLIENT, 'index.html');
  if (!existsSync(file))
    return '<!doctype html><title>Matterdesk</title><p>The client is not built yet: run npm start.';
  const page = readFileSync(file, 'utf8');
  // An attribute needs only & escaped, among the characters that a URL leaves unencoded.
  const metas = [meta('build', readBuildName()), meta('ai-url', aiUrl?.replaceAll('&', '&amp;'))];
  return page
    .replace('</head>', () => `${metas.join('')}</head>`)
    .replace('<body>', () => `<body>${sandbox ? SANDBOX : ''}`);
}

/** Names the built client, for pages to notice that the server has another one; undefined before the first build. */
export function readBuildName(): string | undefined {
  const file = path.resolve(import.meta.dirname, '../..', BUILD_STAMP);
  return existsSync(file) ? readFileSync(file, 'utf8').slice(0, BUILD_NAME_LENGTH) : undefined;
}

function meta(name: string, content: string | undefined): string {
  return content === undefined ? '' : `<meta name="${name}" content="${content}" />`;
}

type Page = { plain: string; br: Buffer; gzip: Buffer };

/** The page depends on the configuration, so that the build cannot compress it. */
function compressPage(plain: string): Page {
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) };
}

function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply) {
  const encoding = acceptedEncoding(request);
  if (encoding) void reply.header('content-encoding', encoding);
  varyByEncoding(reply);
  return reply
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(page[encoding ?? 'plain']);
}

const PAGE =
  '<!doctype html><html lang="en"><head><title>Content</title></head><body></body></html>';

/**
 * Serves the empty pages that frame untrusted HTML (docs/decisions/0012): each has its own policy, because a srcdoc frame
 * would inherit the policy of its page.
 */
export function serveFrames(app: FastifyInstance) {
  for (const [url, images] of [
    [frameUrls.closed, 'data: blob:'],
    [frameUrls.remoteImages, 'data: blob: https: http:'],
  ] as const)
    app.get(url, async (_request, reply) =>
      reply
        .header('content-security-policy', policyOf(images))
        .header('x-frame-options', 'SAMEORIGIN')
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(PAGE),
    );
}

function policyOf(images: string): string {
  return [
    "default-src 'none'",
    `img-src ${images}`,
    "style-src 'unsafe-inline'",
    'font-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
