import type { Server } from 'socket.io';
import {
  EventOriginSchema,
  events,
  type EventName,
  type EventPayload,
  type ServerToClientEvents,
  type SessionEnded,
} from '@matterdesk/contract/events.ts';
import type { Permissions } from '@matterdesk/contract/permissions.ts';
import type { ClientToServerEvents } from '@matterdesk/contract/socket.ts';
import type { Actor } from '../core/actor.ts';

/** Questions and reports between processes on one database. */
type InterServerEvents = {
  listeners: (answer: (userIds: string[]) => void) => void;
  firmChanged: () => void;
};
export type SocketServer = Server<ClientToServerEvents, ServerToClientEvents, InterServerEvents>;

type Sockets = {
  io: SocketServer;
  /** Resolves when every other process has received all events. */
  drain: () => Promise<void>;
  /** Calls `listener` whenever what other processes sent may have been missed. */
  onMissed: (listener: () => void) => void;
};

/** Audience of an event; by default every signed-in user. */
export type Audience = {
  userIds?: string[] | undefined;
  /** Its holders, beside `userIds`. */
  permission?: AudiencePermission | undefined;
  except?: string[] | undefined;
};

/** Permissions whose holders receive events that others do not. */
export const audiencePermissions = [
  'manageUsers',
  'manageWalls',
  'handleIntakes',
  'clearConflicts',
] as const;
type AudiencePermission = (typeof audiencePermissions)[number];

type Publication = {
  actor: Actor | null;
  audience?: Audience | undefined;
  /** When it happened, for payloads without `updatedAt`; now without it. */
  at?: string | undefined;
};

/** Rooms of a socket. `origin` includes the session, so that no one can silence another user's socket. */
export const rooms = {
  user: (userId: string) => `user:${userId}`,
  session: (sessionId: string) => `session:${sessionId}`,
  origin: (sessionId: string, socketId: string) => `origin:${sessionId}:${socketId}`,
  permission: (name: AudiencePermission) => `may:${name}`,
};

/** Broadcasts to browsers, through every process of the database. */
export class Realtime {
  readonly #io: SocketServer;
  /** Resolves when every other process has received all events. */
  readonly drain: () => Promise<void>;
  readonly #onMissed: Sockets['onMissed'];
  readonly #firmListeners: (() => void)[] = [];

  constructor({ io, drain, onMissed }: Sockets) {
    this.#io = io;
    this.drain = drain;
    this.#onMissed = onMissed;
    io.on('listeners', (answer) => answer(this.#listenersHere()));
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
    const others = this.#io.except([...origin, ...(audience?.except ?? []).map(rooms.user)]);
    const targets = audience ? roomsOf(audience) : [];
    if (targets.length === 0 && audience?.userIds) return;
    const target = targets.length > 0 ? others.to(targets) : others;
    // This event's own schema just parsed the payload, which the type cannot express.
    target.emit(name, ...([sent, by] as Parameters<ServerToClientEvents[Name]>));
  }

  /** Ends a user's connections in every tab, perhaps but those of one session, or one session's. */
  endSessions(
    of: { userId: string; except?: string } | { sessionId: string },
    reason: SessionEnded['reason'],
  ): void {
    const room = 'userId' in of ? rooms.user(of.userId) : rooms.session(of.sessionId);
    const others = 'except' in of && of.except ? [rooms.session(of.except)] : [];
    this.#io
      .to(room)
      .except(others)
      .emit('session.ended', { reason }, { actor: null, at: new Date().toISOString() });
    this.#io.in(room).except(others).disconnectSockets(true);
  }

  /** Disconnects a user's browsers, or everyone's: they reconnect, and admission is decided again. */
  readmit(userId?: string): void {
    const sockets = userId === undefined ? this.#io : this.#io.in(rooms.user(userId));
    sockets.disconnectSockets(true);
  }

  /** Calls `listener` when any process changed the firm's settings, or may have. */
  onFirmChanged(listener: () => void): void {
    this.#firmListeners.push(listener);
    this.#io.on('firmChanged', listener);
    this.#onMissed(listener);
  }

  /** Reports to every process, this one included, that the firm's settings changed. */
  announceFirm(): void {
    for (const listener of this.#firmListeners) listener();
    this.#io.serverSideEmit('firmChanged');
  }

  /** Ids of users connected to any process. */
  async listeners(): Promise<string[]> {
    // A process that was killed does not answer; the others' answers count.
    const elsewhere = await this.#io
      .serverSideEmitWithAck('listeners')
      .catch((error: { responses?: string[][] }) => error.responses ?? []);
    return [...new Set([...this.#listenersHere(), ...elsewhere.flat()])];
  }

  #listenersHere(): string[] {
    const prefix = rooms.user('');
    const names = [...this.#io.of('/').adapter.rooms.keys()];
    return names.filter((room) => room.startsWith(prefix)).map((room) => room.slice(prefix.length));
  }

  /** Adds a user to, or removes one from, the events that only holders of a permission receive. */
  changePermissions(userId: string, permissions: Pick<Permissions, AudiencePermission>): void {
    const sockets = this.#io.in(rooms.user(userId));
    for (const name of audiencePermissions)
      if (permissions[name]) sockets.socketsJoin(rooms.permission(name));
      else sockets.socketsLeave(rooms.permission(name));
  }
}

function roomsOf({ userIds = [], permission }: Audience): string[] {
  return [...userIds.map(rooms.user), ...(permission ? [rooms.permission(permission)] : [])];
}

type CaseIdReaders = {
  [Name in EventName]: ((payload: EventPayload<Name>) => string | null) | null;
};

/** Reads the id of the case whose wall decides who receives an event; null for events without such a case. */
const caseIdReaders: CaseIdReaders = {
  'case.created': ({ id }) => id,
  'case.updated': ({ id }) => id,
  'task.created': (task) => task.case,
  'task.updated': (task) => task.case,
  'task.deleted': (task) => task.case,
  'entry.created': (entry) => entry.case,
  // One that left a matter names its audience itself.
  'entry.updated': (entry) => entry.case,
  // Those who may file, each with their own counts.
  'tray.changed': null,
  'event.created': (event) => event.case?.id ?? null,
  'event.updated': (event) => event.case?.id ?? null,
  'series.changed': (changed) => changed.case,
  'file.uploaded': (file) => file.case,
  'file.deleted': (file) => file.case,
  'file.trainingChanged': (file) => file.case,
  // A deadline without a case is the firm's.
  'deadline.created': (deadline) => deadline.case?.id ?? null,
  'deadline.updated': (deadline) => deadline.case?.id ?? null,
  'proposal.opened': (proposal) => proposal.case,
  'proposal.decided': (proposal) => proposal.case,
  // Its owner alone, who sees the case when it is raised.
  'notice.raised': null,
  // A contact is of several cases, or of none: its audience is found with it.
  'contact.updated': null,
  // Everyone, without a word about what is in it.
  'import.ended': null,
  // An intake has an audience of its own.
  'intake.created': null,
  'intake.updated': null,
  // Those who decide about it, and those assigned.
  'conflict.alerted': null,
  'mail.received': null,
  'message.received': null,
  'message.sent': null,
  'message.statusChanged': null,
  'user.created': null,
  'user.updated': null,
  'session.ended': null,
  // Their own audience: those who lose a matter, too.
  'access.changed': null,
  'access.opened': null,
};

export function caseIdOf<Name extends EventName>(
  name: Name,
  payload: EventPayload<Name>,
): string | undefined {
  return caseIdReaders[name]?.(payload) ?? undefined;
}
