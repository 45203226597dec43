import type { EventEmitter } from 'node:events';
import type { Socket as NetSocket } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { errorCodes, type ErrorCode, type FieldError } from '@matterdesk/contract/errors.ts';
import type { EventName, EventPayload, ServerToClientEvents } from '@matterdesk/contract/events.ts';
import type { Route, RouteParams, RouteReply } from '@matterdesk/contract/route.ts';
import { type ClientToServerEvents, socketOptions } from '@matterdesk/contract/socket.ts';

/** A reply of any route; refusals have a null `body` and may have `errors`. */
export type Reply<Body> = {
  status: number;
  headers: Headers;
  /** The envelope's code; undefined on success. */
  code: ErrorCode | undefined;
  message: string;
  body: Body;
  errors: FieldError[] | undefined;
  /** The verbatim body. */
  text: string;
};

export type CallOptions<R extends Route = Route> = {
  token?: string | undefined;
  params?: RouteParams<R['path']>;
  query?: Record<string, string | number>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
};

export type TestSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

/** Calls a server as a browser does. */
export type Client = {
  /** Without a trailing slash. */
  url: string;
  call: <R extends Route>(route: R, options?: CallOptions<R>) => Promise<Reply<RouteReply<R>>>;
  /** Any request, valid or not. `path` begins with a slash. */
  request: (path: string, init?: RequestInit) => Promise<Reply<unknown>>;
  /** A connected socket. Rejects with the server's `connect_error`, or when the server disconnects. */
  socket: (token: string) => Promise<TestSocket>;
  disconnect: () => void;
};

/** `said` is the server's output, which goes into the error of a request that has no reply. */
export function createClient(url: string, said = () => ''): Client {
  const sockets: TestSocket[] = [];
  const request = (path: string, init?: RequestInit) =>
    send(url + path, init).catch((error: Error) => {
      // The message of `fetch` alone is the same for a refused connection, a lost one and a forbidden port.
      const reason = [`${error.message}: ${String(error.cause)}`, said()].join('\n').trim();
      throw error.cause === undefined ? error : new Error(reason, { cause: error.cause });
    });
  return {
    url,
    request,
    call: <R extends Route>(route: R, options?: CallOptions<R>) =>
      request(...describeCall(route, options)) as Promise<Reply<RouteReply<R>>>,
    async socket(token) {
      const socket = openSocket(url, token);
      sockets.push(socket);
      await connected(socket);
      return socket;
    },
    disconnect() {
      for (const socket of sockets) socket.disconnect();
    },
  };
}

function describeCall(
  route: Route,
  { token, params, query, body, headers }: CallOptions = {},
): [string, RequestInit] {
  const values = new Map(Object.entries((params ?? {}) as Record<string, string>));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${route.path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value));
  const init: RequestInit = {
    method: route.method,
    headers: {
      ...(token !== undefined && { 'x-auth-token': token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  return [search.size > 0 ? `${path}?${search.toString()}` : path, init];
}

async function send(url: string, init?: RequestInit): Promise<Reply<unknown>> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const envelope = (isJson && text ? JSON.parse(text) : {}) as Partial<Reply<unknown>>;
  // The HTTP parser's own refusals have neither id nor envelope.
  const isOurs = isJson && text && response.headers.has('x-request-id');
  if (response.status >= 400 && isOurs && /^\/(api\/v1|ai)\//.test(new URL(url).pathname)) {
    requireCode(response.status, envelope.code);
    if (response.status === 429 && !response.headers.has('retry-after'))
      throw new Error('a refusal with status 429 says when to try again');
  }
  return {
    status: response.status,
    headers: response.headers,
    code: envelope.code,
    message: envelope.message ?? '',
    body: envelope.body ?? null,
    errors: envelope.errors,
    text,
  };
}

/** Asserts for every refusal in any test that it has a code, and the code's own status. */
function requireCode(status: number, code: ErrorCode | undefined) {
  if (!code || errorCodes[code]?.status !== status)
    throw new Error(`a refusal with status ${status} carries the code ${code}`);
}

function openSocket(url: string, token: string): TestSocket {
  return io(url, {
    path: socketOptions.path,
    query: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  });
}

function connected(socket: TestSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
    socket.io.once('close', (reason) => {
      // The client closes a refused connection itself with this reason.
      if (reason !== 'forced close') reject(new Error(reason));
    });
  });
}

/** The refusal of a user without a permission. */
export const NOT_PERMITTED = {
  status: 403,
  code: 'notPermitted',
  message: "You're not allowed to take this action",
  body: null,
};

/** Resolves with the next event of this name that is wanted: those of what came before may still be on their way. */
export function nextEvent<Name extends EventName>(
  socket: TestSocket,
  name: Name,
  isWanted: (payload: EventPayload<Name>) => boolean = () => true,
): Promise<EventPayload<Name>> {
  // The library's listener type cannot express which event it is.
  const emitter = socket as unknown as EventEmitter;
  return new Promise((resolve) => {
    const take = (payload: EventPayload<Name>) => {
      if (!isWanted(payload)) return;
      emitter.off(name, take);
      resolve(payload);
    };
    emitter.on(name, take);
  });
}

/** Resolves with the reason when the server disconnects. */
export function disconnected(socket: TestSocket): Promise<string> {
  return new Promise((resolve) => socket.once('disconnect', resolve));
}

/** Everything that a server sends before its connection ends, even if it ends while we still send. */
export function rawReplyOf(socket: NetSocket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}
