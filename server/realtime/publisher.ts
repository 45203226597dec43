import type { Server } from 'socket.io';
import {
  EventOriginSchema,
  events,
  type EventName,
  type EventPayload,
  type ServerToClientEvents,
  type SessionEnded,
} from '@matterdesk/contract/events.ts';
import type { Actor } from '../core/actor.ts';

export type SocketServer = Server<Record<string, never>, ServerToClientEvents>;

/** Who hears of something; without one, everybody who is signed in. */
export type Audience = { userId: string } | { permission: 'manageUsers' };

type Publication = {
  actor: Actor | null;
  audience?: Audience | undefined;
  /** When it happened, for payloads without `updatedAt`; now without it. */
  at?: string | undefined;
};

/** The rooms of a socket. `origin` names it together with its session, so that nobody can silence another's socket. */
export const rooms = {
  user: (userId: string) => `user:${userId}`,
  session: (sessionId: string) => `session:${sessionId}`,
  origin: (sessionId: string, socketId: string) => `origin:${sessionId}:${socketId}`,
  manageUsers: 'may:manageUsers',
};

/** Tells the browsers, on this process and on every other one of the same database. */
export class Realtime {
  readonly #io: SocketServer;
  /** Fulfilled when every other process has been told what there was to tell. */
  readonly caughtUp: () => Promise<void>;

  constructor({ io, caughtUp }: { io: SocketServer; caughtUp: () => Promise<void> }) {
    this.#io = io;
    this.caughtUp = caughtUp;
  }

  publish<Name extends EventName>(
    name: Name,
    payload: EventPayload<Name>,
    { actor, audience, at }: Publication,
  ): void {
    const sent = events[name].parse(payload);
    const updatedAt = 'updatedAt' in sent ? sent.updatedAt : undefined;
    const by = EventOriginSchema.parse({ actor, at: at ?? updatedAt ?? new Date().toISOString() });
    const origin = actor?.socketId ? [rooms.origin(actor.sessionId, actor.socketId)] : [];
    const everybody = this.#io.except(origin);
    const target = audience ? everybody.to(roomOf(audience)) : everybody;
    // The payload has just been parsed by this very event's schema, which the type cannot follow.
    target.emit(name, ...([sent, by] as Parameters<ServerToClientEvents[Name]>));
  }

  /** Ends what a person, or one session, has open in every tab. */
  endSessions(
    of: { userId: string } | { sessionId: string },
    reason: SessionEnded['reason'],
  ): void {
    const room = 'userId' in of ? rooms.user(of.userId) : rooms.session(of.sessionId);
    this.#io
      .to(room)
      .emit('session.ended', { reason }, { actor: null, at: new Date().toISOString() });
    this.#io.in(room).disconnectSockets(true);
  }

  /** Ids of the people who are connected to this very process. */
  listeners(): string[] {
    const prefix = rooms.user('');
    const names = [...this.#io.of('/').adapter.rooms.keys()];
    return names.filter((room) => room.startsWith(prefix)).map((room) => room.slice(prefix.length));
  }

  /** From now on a person hears of what only managers of users may know, or no longer. */
  showUsersAwaitingApproval(userId: string, may: boolean): void {
    const sockets = this.#io.in(rooms.user(userId));
    if (may) sockets.socketsJoin(rooms.manageUsers);
    else sockets.socketsLeave(rooms.manageUsers);
  }
}

function roomOf(audience: Audience): string {
  return 'userId' in audience ? rooms.user(audience.userId) : rooms.manageUsers;
}
