import http from 'node:http';
import type { AddressInfo } from 'node:net';

// Replies to `/<bytes>` with a constant body of that size.
const bodies = new Map<number, Buffer>();

const server = http.createServer((request, response) => {
  const size = Number(request.url?.slice(1));
  const body = bodies.get(size) ?? Buffer.alloc(size, 'x');
  bodies.set(size, body);
  request.resume().once('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.on('disconnect', () => process.exit());
