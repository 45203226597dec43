import { once } from 'node:events';
import { WebSocket } from 'ws';
import { socketOptions } from '@matterdesk/contract/socket.ts';

/** The argument: what to open. The report of that is empty. */
export type SocketClients = { port: number; tokens: string[]; perSession: number; count: number };

/** When each socket was notified of a moved card, in milliseconds of the clock that all processes share. */
export type Notified = number[];

const AT_ONCE = 50;
/** Packets of Engine.IO and Socket.IO, whose own client costs too much ten thousand times. */
const PACKET = { ping: '2', pong: '3', join: '40', joined: '40' };
const MOVED = '42["task.updated"';

let count = 0;
let notified: Notified = [];

process.on('disconnect', () => process.exit());

async function openAll({ port, tokens, perSession, ...wanted }: SocketClients): Promise<void> {
  count = wanted.count;
  let next = 0;
  const open = async () => {
    while (next < count) {
      const token = tokens[Math.floor(next / perSession)] ?? '';
      next += 1;
      await openSocket(port, token);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, open));
  process.send?.([] satisfies Notified);
}

async function openSocket(port: number, token: string): Promise<void> {
  const query = new URLSearchParams({ EIO: '4', transport: 'websocket', token });
  const socket = new WebSocket(`ws://127.0.0.1:${port}${socketOptions.path}/?${query.toString()}`, {
    perMessageDeflate: false,
  });
  socket.once('close', () => {
    process.stderr.write('A socket was closed by the server\n');
    process.exit(1);
  });
  await once(socket, 'message');
  socket.send(PACKET.join);
  await new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const packet = data.toString('latin1', 0, MOVED.length);
      if (packet === MOVED) record();
      else if (packet === PACKET.ping) socket.send(PACKET.pong);
      else if (packet.startsWith(PACKET.joined)) resolve();
    });
  });
}

function record(): void {
  notified.push(Number(process.hrtime.bigint()) / 1e6);
  if (notified.length < count) return;
  process.send?.(notified);
  notified = [];
}

await openAll(JSON.parse(process.argv[2] ?? '') as SocketClients);
