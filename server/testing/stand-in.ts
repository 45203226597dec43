import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A request with its complete body. */
export type StandInRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

/** Objects as bodies are sent as JSON. */
export type StandInReply = {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer | object;
};

/** A line of the journal. */
export type Journaled = { method: string; path: string; query: Record<string, string> };

export type StandIn = {
  /** Origin without a trailing slash. */
  url: string;
  /** Faults for the next matching requests. */
  faults: Fault[];
  close: () => Promise<void>;
};

type Options = {
  port?: number | undefined;
  /** Called with each request before its fault or its effect. */
  journal: (asked: StandInRequest) => void;
  answer: (asked: StandInRequest, url: string) => Promise<StandInReply> | StandInReply;
  /** The service's own error body for a fault's status. */
  fail: (status: number, path: string) => object;
};

/** A third-party service on a loopback port, with a journal, faults on demand and its replies. */
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
  // Keep idle connections open for busy tests that are about to reuse them.
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

function faulty(fault: Fault, otherwise: object): StandInReply {
  return {
    status: fault.status ?? 500,
    headers: fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
    body: fault.body ?? otherwise,
  };
}

function send(
  response: ServerResponse,
  { status, headers = {}, body }: StandInReply,
  fault?: Fault,
) {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(isJson ? JSON.stringify(body) : (body ?? ''));
  response.writeHead(status, {
    ...(isJson && { 'content-type': 'application/json; charset=UTF-8' }),
    // Replies without a body have no length.
    ...(status !== 204 && { 'content-length': String(bytes.length) }),
    ...headers,
  });
  if (fault?.cutAfterBytes === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, fault.cutAfterBytes), () => response.destroy());
}

async function read(request: IncomingMessage): Promise<StandInRequest> {
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

/** A fault for the next matching request. */
type Fault = {
  path: RegExp;
  method?: string;
  /** Status of the reply, instead of a success. */
  status?: number;
  /** Body of that reply; otherwise the service's usual one for the status. */
  body?: string | object;
  /** Seconds of that reply's Retry-After. */
  retryAfter?: number;
  delayMs?: number;
  /** Delays the reply. */
  until?: Promise<unknown>;
  /** Breaks the connection without a reply. */
  destroy?: boolean;
  /** Truncates the reply after that many bytes; the request succeeds. */
  cutAfterBytes?: number;
  /** With `status` or `destroy`: the request succeeds, and only its reply is lost. */
  afterwards?: boolean;
  /** Number of requests, default 1; Infinity for all. */
  times?: number;
};

/** Uses up one repetition of the first matching fault. */
function takeFault(
  faults: Fault[],
  { method, path }: { method: string; path: string },
): Fault | undefined {
  const fault = faults.find(
    (one) => one.path.test(path) && (one.method === undefined || one.method === method),
  );
  if (!fault) return undefined;
  const left = (fault.times ?? 1) - 1;
  if (left <= 0) faults.splice(faults.indexOf(fault), 1);
  else fault.times = left;
  return fault;
}
