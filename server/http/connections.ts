import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOOK_MS = 25;

/**
 * Knows which connections have a request in flight. `endIdle` ends all others, and each of these as soon as
 * has its reply, until the server is closed: Node's own way waits for silent clients, and keeps busy
 * connections open for their keep-alive time.
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
      const timer = setInterval(end, LOOK_MS);
      server.once('close', () => clearInterval(timer));
    },
  };
}
