import {
  type Server as HttpServer,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createAdapter, type PostgresAdapter } from '@socket.io/postgres-adapter';
import { Server, type Socket } from 'socket.io';
import { errorCodes, type ErrorCode } from '@matterdesk/contract/errors.ts';
import type { SessionEnded } from '@matterdesk/contract/events.ts';
import { socketOptions, type SocketRefusal } from '@matterdesk/contract/socket.ts';
import type { SessionOwner } from '../core/actor.ts';
import type { Pool } from '../db/connect.ts';
import { listeningPool } from '../db/listening-pool.ts';
import type { OpenSession } from '../db/sessions.ts';
import type { Admission } from '../http/connections.ts';
import type { KnownHosts } from '../http/security.ts';
import type { Log } from '../log.ts';
import { audiencePermissions, rooms, type SocketServer } from './publisher.ts';
import { answerQuiet, RecentBroadcasts } from './recent.ts';

/** Milliseconds between checks of the sessions behind open sockets. */
const SESSION_CHECK_INTERVAL_MS = 60_000;
/** Open sockets of a session: one for each tab. */
const MAX_SOCKETS_PER_SESSION = 20;
const CHANNEL = 'matterdesk';
// PostgreSQL limits notifications to 8000 bytes; longer ones go through a table.
const MAX_NOTIFICATION_BYTES = 7999;

type Sessions = {
  /** Undefined for an invalid token. */
  ownerOf: (token: string) => Promise<SessionOwner | undefined>;
  /** Reasons by id, for those of the given sessions that have ended. */
  ended: (open: OpenSession[]) => Promise<ReadonlyMap<string, SessionEnded['reason']>>;
};

type Options = {
  http: HttpServer;
  pool: Pool;
  /** For the connection that listens to the other processes. */
  listening: Pool;
  log: Log;
};

export type Sockets = {
  io: SocketServer;
  /** Resolves when every other process has received all events. */
  drain: () => Promise<void>;
  /** Calls `listener` whenever what other processes sent may have been missed. */
  onMissed: (listener: () => void) => void;
  close: () => Promise<void>;
};

/** Opens Socket.IO beside the API; processes on one database share all events. */
export function createSocketServer({ http, pool, listening, log }: Options): Sockets {
  const io: SocketServer = new Server(http, {
    path: socketOptions.path,
    serveClient: false,
    connectTimeout: SOCKET_IO_TIMEOUT_MS,
  });
  const recent = new RecentBroadcasts();
  const missed: (() => void)[] = [recent.restart.bind(recent)];
  const shared = listeningPool(pool, {
    listening,
    channel: `${CHANNEL}#/`,
    onListening: () => {
      for (const listener of missed) listener();
      closeConnections(io);
    },
  });
  io.adapter(
    createAdapter(shared.pool, {
      channelPrefix: CHANNEL,
      payloadThreshold: MAX_NOTIFICATION_BYTES,
      errorHandler: (error) => log.warn({ err: error }, 'socket adapter'),
    }),
  );
  recent.watch(io.of('/').adapter as PostgresAdapter);
  answerQuiet(io, recent);
  const close = async () => {
    await io.close();
    shared.close();
  };
  return { io, drain: shared.drain, onMissed: (listener) => void missed.push(listener), close };
}

/** Clients reconnect and refetch, since missed events are unknown. */
function closeConnections(io: SocketServer) {
  for (const socket of io.of('/').sockets.values()) socket.conn.close();
}

/** Admits valid sessions and disconnects ended ones. */
export function guardSockets(io: SocketServer, sessions: Sessions, log: Log): { stop(): void } {
  io.use((socket, next) => {
    admit(socket, sessions).then(
      () => next(),
      (error: unknown) => {
        if (error instanceof RefusedSocket) return next(error);
        log.warn({ err: error }, 'socket put off');
        // A refusal would be final; a lost connection retries.
        socket.conn.close();
      },
    );
  });
  const check = (sockets: Iterable<Socket>) => {
    dropDeadSessions([...sockets], sessions).catch((error: unknown) =>
      log.warn({ err: error }, 'socket session check'),
    );
  };
  // The session may have ended before its socket could be reached.
  io.on('connection', (socket) => {
    check([socket]);
    forgetRequest(socket);
  });
  const timer = setInterval(() => check(io.of('/').sockets.values()), SESSION_CHECK_INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Halves a socket's memory; the request is not needed again: https://socket.io/docs/v4/memory-usage/ */
function forgetRequest(socket: Socket) {
  Object.assign(socket.conn, { request: null });
  // The token is in it.
  Object.assign(socket, { handshake: null });
}

class RefusedSocket extends Error {
  readonly data: SocketRefusal;

  constructor(code: ErrorCode) {
    super(errorCodes[code].message);
    this.data = { code };
  }
}

async function admit(socket: Socket, sessions: Sessions) {
  const token = socket.handshake.query['token'];
  const owner = typeof token === 'string' ? await sessions.ownerOf(token) : undefined;
  if (!owner) throw new RefusedSocket('invalidToken');
  if (owner.mustEnrol) throw new RefusedSocket('mustEnrol');
  if (countSockets(socket, owner.sessionId) >= MAX_SOCKETS_PER_SESSION)
    throw new RefusedSocket('tooManyAttempts');
  socket.data = { sessionId: owner.sessionId, userId: owner.id } satisfies OpenSession;
  await socket.join([
    rooms.user(owner.id),
    rooms.session(owner.sessionId),
    rooms.origin(owner.sessionId, socket.id),
    ...audiencePermissions.filter((name) => owner.permissions[name]).map(rooms.permission),
  ]);
}

function countSockets({ nsp }: Socket, sessionId: string): number {
  return nsp.adapter.rooms.get(rooms.session(sessionId))?.size ?? 0;
}

async function dropDeadSessions(sockets: Socket[], sessions: Sessions) {
  const open = new Map(sockets.map((socket) => [socket, socket.data as OpenSession]));
  const bySession = new Map([...open.values()].map((one) => [one.sessionId, one]));
  const ended = await sessions.ended([...bySession.values()]);
  for (const [socket, { sessionId }] of open) {
    const reason = ended.get(sessionId);
    if (!reason) continue;
    socket.emit('session.ended', { reason }, { actor: null, at: new Date().toISOString() });
    socket.disconnect(true);
  }
}

/** Refuses sockets by foreign names, of foreign pages and of clients with too many, before they are opened. */
export function guardHandshakes(io: SocketServer, hosts: KnownHosts, admit: Admission): void {
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const { host, origin, upgrade } = request.headers;
    const refusal = !hosts.admits(request)
      ? errorCodes.wrongHost
      : origin !== undefined && !hosts.admitsPageOf(origin, host)
        ? errorCodes.notPermitted
        : admit(request, upgrade === undefined ? response : request.socket)
          ? undefined
          : errorCodes.tooManyAttempts;
    if (!refusal) return next();
    const { status, message } = refusal;
    if (upgrade === undefined) return void response.writeHead(status).end(message);
    // An upgrade has no response yet.
    return void request.socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
  });
}

/** Milliseconds until a connection has been admitted with its token. */
const ADMISSION_TIMEOUT_MS = 5000;
/** Milliseconds for the peer of a closed web socket to close it, too. */
const CLOSE_TIMEOUT_MS = 1000;

/** Later than ours: Socket.IO waits for a polling client to fetch what is left for it. */
const SOCKET_IO_TIMEOUT_MS = 2 * ADMISSION_TIMEOUT_MS;

type Connection = {
  once: (event: 'close', work: () => void) => void;
  close: (isDiscarded: true) => void;
  transport: { socket?: { terminate?: () => void } };
};

/**
 * Ends connections that bring no valid token, by polling too, and web sockets whose peer ignores that they were closed:
 * each would stay for half a minute and more otherwise.
 */
export function closeUnadmitted(io: SocketServer): void {
  const admitted = new WeakSet();
  io.on('connection', ({ conn }) => void admitted.add(conn));
  io.engine.on('connection', (connection: Connection) => {
    const timer = setTimeout(() => {
      if (!admitted.has(connection)) connection.close(true);
    }, ADMISSION_TIMEOUT_MS);
    connection.once('close', () => {
      clearTimeout(timer);
      const { socket } = connection.transport;
      setTimeout(() => socket?.terminate?.(), CLOSE_TIMEOUT_MS).unref();
    });
  });
}
