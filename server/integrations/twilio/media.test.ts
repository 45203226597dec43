import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { mediaSidOf, openMedia } from './media.ts';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))),
  );
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const place = { messageSid: `MM${'0'.repeat(32)}`, mediaSid: `ME${'0'.repeat(32)}` };
const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'secret', timeoutMs: 10_000 };
const open = (baseUrl: string) => openMedia({ ...account, baseUrl }, place);

test('the server fetches an attachment from Twilio with the account’s credentials', async () => {
  const seen: (string | undefined)[] = [];
  const home = await serve((request, response) => {
    seen.push(request.headers.authorization);
    if (request.url === '/cdn') return void response.end('bytes');
    response.writeHead(307, { location: '/cdn' }).end();
  });
  expect(await text(await open(home))).toBe('bytes');
  expect(seen[0]).toMatch(/^Basic /);
});

test.each([
  '',
  '//evil.example/x',
  'file:///etc/passwd',
  'http://[::1]:1/x',
  'http://[',
  'nonsense://x',
])('the server refuses a redirect to %j', async (location) => {
  const home = await serve((_request, response) => {
    response.writeHead(302, { location }).end();
  });
  await expect(open(home)).rejects.toMatchObject({ name: 'Error', kind: 'refused' });
});

test('the server refuses a redirect to another host', async () => {
  let visits = 0;
  const foreign = await serve((_request, response) => {
    visits += 1;
    response.end('stolen');
  });
  const home = await serve((_request, response) => {
    response.writeHead(302, { location: `${foreign}/x` }).end();
  });
  await expect(open(home)).rejects.toMatchObject({ kind: 'refused' });
  expect(visits).toBe(0);
});

test('the server stops on a redirect loop', async () => {
  let visits = 0;
  const home = await serve((_request, response) => {
    visits += 1;
    response.writeHead(307, { location: '/again' }).end();
  });
  await expect(open(home)).rejects.toMatchObject({ kind: 'refused' });
  expect(visits).toBe(4);
});

test('the server takes only an id from the URL of a webhook', () => {
  const sid = `ME${'a'.repeat(32)}`;
  expect(mediaSidOf(`https://evil.example/Media/${sid}`)).toBe(sid);
  for (const url of ['', `https://evil.example/${sid}`, `https://x/Media/${sid}/../y`, 'file:///x'])
    expect(mediaSidOf(url)).toBeUndefined();
});
