import { io, type Socket } from 'socket.io-client';
import type { ServerToClientEvents, SessionEnded } from '@matterdesk/contract/events.ts';
import { socketOptions, type SocketRefusal } from '@matterdesk/contract/socket.ts';

export type ServerSocket = Socket<ServerToClientEvents, Record<string, never>>;

type Hooks = {
  connected: (id: string) => void;
  lost: () => void;
  /** The server no longer accepts the token, or has ended the session. */
  ended: (reason?: SessionEnded['reason']) => void;
  /** The user must set up a second factor first. */
  refused: () => void;
};

let open: ServerSocket | undefined;

/** Opens a socket with the token, replacing any earlier one. */
export function openSocket(token: string, hooks: Hooks): ServerSocket {
  closeSocket();
  const socket: ServerSocket = io({
    forceNew: true,
    ...socketOptions,
    query: { token },
    transports: ['websocket'],
    reconnectionAttempts: Infinity,
  });
  open = socket;
  socket.on('connect', () => hooks.connected(socket.id ?? ''));
  socket.on('disconnect', (reason) => {
    if (socket !== open) return;
    hooks.lost();
    // The server disconnected without ending the session, as in a restart, so reconnect.
    if (reason === 'io server disconnect') connectAgain(socket);
  });
  socket.on('connect_error', (error: Error & { data?: SocketRefusal }) => {
    if (error.data?.code === 'invalidToken') return hooks.ended();
    if (error.data?.code === 'mustEnrol') return hooks.refused();
    hooks.lost();
    // Socket.IO does not reconnect by itself after a refusal, such as while the server's database is down.
    if (!socket.active) connectAgain(socket);
  });
  socket.on('session.ended', ({ reason }) => hooks.ended(reason));
  return socket;
}

function connectAgain(socket: ServerSocket) {
  // Spread, so that the firm's browsers do not all reconnect at once.
  const spread = 1 + (Math.random() * 2 - 1) * socketOptions.randomizationFactor;
  setTimeout(() => {
    if (socket === open) socket.connect();
  }, socketOptions.reconnectionDelay * spread);
}

export function closeSocket(): void {
  const socket = open;
  open = undefined;
  socket?.disconnect();
}
