import type { Socket } from 'node:net';

/** Everything that a server sends before its connection ends, even if it ends while we still send. */
export function rawReplyOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}
