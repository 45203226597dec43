import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const CHECK_INTERVAL_MS = 25;

/**
 * Tracks which connections have a request in flight. `endIdle` ends all others, and each busy one after its reply, until
 * the server is closed: Node itself waits for silent clients, and for busy connections until their keep-alive ends.
 */
export function watchConnections(server: Server): { endIdle: () => void } {
  const open = new Set<Socket>();
  const inFlight = new Map<Socket, number>();
  const count = (socket: Socket, by: number) =>
    inFlight.set(socket, (inFlight.get(socket) ?? 0) + by);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      inFlight.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  const end = () => {
    for (const socket of open) if (!inFlight.get(socket)) socket.destroySoon();
  };
  return {
    endIdle() {
      const timer = setInterval(end, CHECK_INTERVAL_MS);
      server.once('close', () => clearInterval(timer));
    },
  };
}
