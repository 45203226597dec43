import { io, type Socket } from 'socket.io-client';
import type { ServerToClientEvents } from '@matterdesk/contract/events.ts';
import { socketOptions, type SocketRefusal } from '@matterdesk/contract/socket.ts';

export type ServerSocket = Socket<ServerToClientEvents, Record<string, never>>;

type Hooks = {
  connected: (id: string) => void;
  lost: () => void;
  /** The server knows the token no longer, or has ended the session. */
  ended: () => void;
};

let open: ServerSocket | undefined;

/** Puts away any socket from before and opens a new one with the token. */
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
    // The server put this socket out without ending the session, as in a restart: come back.
    if (reason === 'io server disconnect') connectAgain(socket);
  });
  socket.on('connect_error', (error: Error & { data?: SocketRefusal }) => {
    if (error.data?.code === 'invalidToken') return hooks.ended();
    hooks.lost();
    // Socket.IO does not come back by itself after the server has refused, as it does while its database is away.
    if (!socket.active) connectAgain(socket);
  });
  socket.on('session.ended', () => hooks.ended());
  return socket;
}

function connectAgain(socket: ServerSocket) {
  // Not all browsers of a firm in the same moment.
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
