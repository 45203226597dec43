import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/postgres-adapter';
import { Server, type Socket } from 'socket.io';
import { errorCodes, type ErrorCode } from '@matterdesk/contract/errors.ts';
import type { SessionEnded } from '@matterdesk/contract/events.ts';
import { socketOptions, type SocketRefusal } from '@matterdesk/contract/socket.ts';
import type { SessionOwner } from '../core/actor.ts';
import type { Pool } from '../db/connect.ts';
import { listeningPool } from '../db/listening-pool.ts';
import type { OpenSession } from '../db/sessions.ts';
import type { Log } from '../log.ts';
import { LATE_TIMEOUT } from './handshake.ts';
import { audiencePermissions, rooms, type SocketServer } from './publisher.ts';

/** Milliseconds between checks of the sessions behind open sockets. */
const SESSION_CHECK_INTERVAL = 60_000;
/** Open sockets of a session: one for each tab. */
const SOCKETS_PER_SESSION = 20;
const CHANNEL = 'matterdesk';
// PostgreSQL limits notifications to 8000 bytes; longer ones go through a table.
const MAX_NOTIFICATION_BYTES = 7999;

export type Sessions = {
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
    connectTimeout: LATE_TIMEOUT,
  });
  const missed: (() => void)[] = [];
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
  const timer = setInterval(() => check(io.of('/').sockets.values()), SESSION_CHECK_INTERVAL);
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
  if (countSockets(socket, owner.sessionId) >= SOCKETS_PER_SESSION)
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
