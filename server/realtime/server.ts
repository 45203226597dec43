import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/postgres-adapter';
import type pg from 'pg';
import { Server, type Socket } from 'socket.io';
import { errorCodes } from '@matterdesk/contract/errors.ts';
import { socketOptions } from '@matterdesk/contract/events.ts';
import type { SessionOwner } from '../features/accounts/service.ts';
import type { Log } from '../log.ts';
import { rooms, type SocketServer } from './publisher.ts';

/** Milliseconds between two looks at whether the sessions behind open sockets still live. */
const SESSION_CHECK_INTERVAL = 60_000;

export type Sessions = {
  /** Undefined for a token that opens nothing. */
  ownerOf: (token: string) => Promise<SessionOwner | undefined>;
  /** Those of the given sessions that still live. */
  alive: (sessionIds: string[]) => Promise<Set<string>>;
};

type Options = { http: HttpServer; pool: pg.Pool; log: Log };

/** Opens Socket.IO beside the API; processes on one database share one world. */
export function createSocketServer({ http, pool, log }: Options): SocketServer {
  const io: SocketServer = new Server(http, { path: socketOptions.path, serveClient: false });
  io.adapter(
    createAdapter(pool, { errorHandler: (error) => log.warn({ err: error }, 'socket adapter') }),
  );
  return io;
}

/** Lets in who has a session, and puts out who no longer has one. */
export function guardSockets(io: SocketServer, sessions: Sessions, log: Log): { stop(): void } {
  io.use((socket, next) => {
    admit(socket, sessions).then(
      () => next(),
      (error: unknown) => next(toConnectError(error, log)),
    );
  });
  const timer = setInterval(() => {
    dropDeadSessions(io, sessions).catch((error: unknown) =>
      log.warn({ err: error }, 'socket session check'),
    );
  }, SESSION_CHECK_INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

class NoSession extends Error {}

async function admit(socket: Socket, sessions: Sessions) {
  const token = socket.handshake.query['token'];
  const owner = typeof token === 'string' ? await sessions.ownerOf(token) : undefined;
  if (!owner) throw new NoSession(errorCodes.invalidToken.message);
  socket.data = { sessionId: owner.sessionId };
  await socket.join([
    rooms.user(owner.id),
    rooms.session(owner.sessionId),
    rooms.origin(owner.sessionId, socket.id),
    ...(owner.permissions.manageUsers ? [rooms.manageUsers] : []),
  ]);
}

function toConnectError(error: unknown, log: Log): Error {
  if (error instanceof NoSession) return new Error(error.message);
  log.warn({ err: error }, 'socket refused');
  return new Error(errorCodes.unavailable.message);
}

async function dropDeadSessions(io: SocketServer, sessions: Sessions) {
  const local = [...io.of('/').sockets.values()];
  const idOf = (socket: (typeof local)[number]) => (socket.data as { sessionId: string }).sessionId;
  const alive = await sessions.alive([...new Set(local.map(idOf))]);
  for (const socket of local) {
    if (alive.has(idOf(socket))) continue;
    socket.emit('session.ended', { reason: 'expired' });
    socket.disconnect(true);
  }
}
