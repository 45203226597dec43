import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { io, type Socket } from 'socket.io-client';
import type { FieldError } from '@matterdesk/contract/errors.ts';
import { socketOptions, type ServerToClientEvents } from '@matterdesk/contract/events.ts';
import type { Route, RouteParams, RouteReply } from '@matterdesk/contract/route.ts';
import { buildApp } from '../app.ts';
import { DiskBlobStore } from '../integrations/blobs/disk.ts';
import { readConfig } from '../config.ts';
import { openPool } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { createLog } from '../log.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A reply of any route; `body` is null and `errors` may be there when it is a refusal. */
export type Reply<Body> = {
  status: number;
  headers: Headers;
  /** The envelope's. */
  message: string;
  body: Body;
  errors: FieldError[] | undefined;
  /** What came, to the letter. */
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

export type TestSocket = Socket<ServerToClientEvents, Record<string, never>>;

export type TestApp = {
  /** Without a trailing slash. */
  url: string;
  db: Database;
  pool: pg.Pool;
  database: TestDatabase;
  /** Each line of the log so far, parsed. */
  logLines: () => Record<string, unknown>[];
  call: <R extends Route>(route: R, options?: CallOptions<R>) => Promise<Reply<RouteReply<R>>>;
  /** Whatever a stranger may send. `path` begins with a slash. */
  request: (path: string, init?: RequestInit) => Promise<Reply<unknown>>;
  /** A connected socket. Rejects with the server's `connect_error`. */
  socket: (token: string) => Promise<TestSocket>;
  close: () => Promise<void>;
};

export type TestAppOptions = {
  env?: Record<string, string>;
  /** Of another test application, which then is a second process of the same firm; it stays the other's to drop. */
  database?: TestDatabase;
};

/** The real application on a database of its own and a free port. */
export async function startTestApp({ env = {}, database }: TestAppOptions = {}): Promise<TestApp> {
  const own = database ?? (await createTestDatabase());
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const pool = openPool(own.connection, () => undefined);
  const blobs = await DiskBlobStore.open(await mkdtemp(path.join(tmpdir(), 'matterdesk-files-')));
  const { http, db, startJobs } = await buildApp({ config: readConfig(env), pool, blobs, log });
  await startJobs();
  await http.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const sockets: TestSocket[] = [];
  const request = (path: string, init?: RequestInit) => send(url + path, init);
  return {
    url,
    db,
    pool,
    database: own,
    request,
    logLines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    call: <R extends Route>(route: R, options?: CallOptions<R>) =>
      request(...describeCall(route, options)) as Promise<Reply<RouteReply<R>>>,
    async socket(token) {
      const socket = openSocket(url, token);
      sockets.push(socket);
      await connected(socket);
      return socket;
    },
    async close() {
      for (const socket of sockets) socket.disconnect();
      await http.close();
      await pool.end();
      if (!database) await own.drop();
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
  return {
    status: response.status,
    headers: response.headers,
    message: envelope.message ?? '',
    body: envelope.body ?? null,
    errors: envelope.errors,
    text,
  };
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
  });
}
