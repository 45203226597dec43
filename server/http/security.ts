import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { Refusal } from '../core/refusal.ts';
import { replyWithError } from './error-reply.ts';
import { readBuildName } from './pages.ts';

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
const PREFLIGHT_MAX_AGE_SECONDS = 7200;

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
        'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
      })
      .code(204)
      .send();
  });
}

type Names = Pick<Config, 'publicUrl' | 'aiUrl' | 'allowedHosts'>;

/** Monitoring may use any host name. */
const WITHOUT_NAME = /^\/(healthz|readyz)(\?|$)/;

/** The names that this server answers to. */
export class KnownHosts {
  readonly #names: Set<string>;
  readonly #publicHost: string;

  constructor({ publicUrl, aiUrl, allowedHosts }: Names) {
    const urls = [publicUrl, ...(aiUrl === undefined ? [] : [aiUrl])];
    this.#names = new Set([...urls.map((url) => new URL(url).hostname), ...allowedHosts]);
    this.#publicHost = new URL(publicUrl).host;
  }

  /**
   * Refuses names that a stranger can point at this machine: a page of theirs would share our origin in the browser.
   * Addresses, names without a dot and names below `.local` belong to the network itself.
   */
  has(host: string): boolean {
    const url = `http://${host}`;
    if (!URL.canParse(url)) return false;
    const name = new URL(url).hostname.replace(/\.$/, '');
    return this.#names.has(name) || isOfOwnNetwork(name);
  }

  /** Whether a page at this origin may open a socket by this host. */
  admitsPageOf(origin: string, host: string | undefined): boolean {
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin).host;
    return from === this.#publicHost || from === host?.toLowerCase();
  }

  admits({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
    return headers.host === undefined || WITHOUT_NAME.test(url) || this.has(headers.host);
  }
}

function isOfOwnNetwork(name: string): boolean {
  if (!name.includes('.') || /\.(local|localhost)$/.test(name)) return true;
  return isIP(name) !== 0;
}

/** Replies with 421 before anything else about the request is decided. */
export function requireKnownHost(app: FastifyInstance, hosts: KnownHosts): void {
  app.addHook('onRequest', async (request, reply) =>
    hosts.admits(request.raw)
      ? undefined
      : replyWithError(new Refusal('wrongHost'), request, reply),
  );
}
