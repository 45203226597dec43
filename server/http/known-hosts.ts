import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { Refusal } from '../core/refusal.ts';
import { replyWithError } from './error-reply.ts';

type Names = Pick<Config, 'publicUrl' | 'aiUrl' | 'allowedHosts'>;

/** Monitoring asks by whatever name it has. */
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
