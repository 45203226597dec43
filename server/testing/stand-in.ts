import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { takeFault, type Fault } from './faults.ts';

/** A request as a stand-in sees it, its body read whole. */
export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

/** An object as body goes out as JSON. */
export type Answer = {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer | object;
};

/** A line of the journal. */
export type Journaled = { method: string; path: string; query: Record<string, string> };

export type StandIn = {
  /** Origin without a trailing slash. */
  url: string;
  /** The next requests that fit one of these go wrong as it says. */
  faults: Fault[];
  close: () => Promise<void>;
};

type Options = {
  port?: number | undefined;
  /** Told of each request before anything happens to it, even if it then goes wrong. */
  journal: (asked: Asked) => void;
  answer: (asked: Asked, url: string) => Promise<Answer> | Answer;
  /** What a fault's status looks like in this service's own words. */
  fail: (status: number, path: string) => object;
};

/** A service of somebody else's, played on a loopback port: a journal, faults on demand, and its answers. */
export async function startStandIn({ port = 0, ...options }: Options): Promise<StandIn> {
  const faults: Fault[] = [];
  const ending = new AbortController();
  let url = '';
  const server = createServer((request, response) => {
    serve({ request, response, faults, url, ending: ending.signal }, options).catch(
      (error: unknown) => {
        if (!response.headersSent) response.writeHead(500);
        response.end(String(error));
      },
    );
  });
  // A busy test must not find a connection hung up that it was just about to use again.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    faults,
    async close() {
      ending.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  faults: Fault[];
  url: string;
  ending: AbortSignal;
};

async function serve(exchange: Exchange, { journal, answer, fail }: Omit<Options, 'port'>) {
  const { request, response, faults, url, ending } = exchange;
  const asked = await read(request);
  journal(asked);
  const fault = takeFault(faults, asked);
  const isCarriedOut = fault?.status === undefined || fault.afterwards;
  const isCutBefore = fault?.destroy && !fault.afterwards;
  const given = isCarriedOut && !isCutBefore ? await answer(asked, url) : { status: 200 };
  if (fault?.delayMs) await wait(fault.delayMs, undefined, { signal: ending });
  await fault?.until;
  if (fault?.destroy) return void request.socket.destroy();
  const failed = fault?.status !== undefined && faulty(fault, fail(fault.status, asked.path));
  send(response, failed || given, fault);
}

function faulty(fault: Fault, otherwise: object): Answer {
  return {
    status: fault.status ?? 500,
    headers: fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
    body: fault.body ?? otherwise,
  };
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer, fault?: Fault) {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(isJson ? JSON.stringify(body) : (body ?? ''));
  response.writeHead(status, {
    ...(isJson && { 'content-type': 'application/json; charset=UTF-8' }),
    // A bodiless answer has no length of its own.
    ...(status !== 204 && { 'content-length': String(bytes.length) }),
    ...headers,
  });
  if (fault?.cutAfterBytes === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, fault.cutAfterBytes), () => response.destroy());
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
  return {
    method: request.method ?? 'GET',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}
