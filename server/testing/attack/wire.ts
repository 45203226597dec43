import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { World } from './world.ts';

/** A reply: its status, 0 when the server ended the connection without one, and its text. */
export type WireReply = { status: number; text: string };

/** Made from the seed alone, so that it can be repeated. `what` names it in a failure. */
export type Attack = { what: string; run: (world: World) => Promise<WireReply[]> };

/** Milliseconds for a reply, and for a connection whose sender falls silent: the product's own limits are shorter. */
const REPLY_TIMEOUT_MS = 90_000;
const SLOW_TIMEOUT_MS = 180_000;
const MAX_TEXT_LENGTH = 20_000;

type Sent = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

/**
 * A well-formed request on a connection of its own, which the server may end after its reply. Node's `fetch` fails an
 * assertion, outside every promise, when such a connection ends while a reply waits to be read.
 */
export async function ask({ server }: World, path: string, init: Sent = {}): Promise<WireReply> {
  const signal = AbortSignal.timeout(REPLY_TIMEOUT_MS);
  try {
    const asked = new Request(server.url + path, init);
    const body = asked.body === null ? undefined : Buffer.from(await asked.arrayBuffer());
    // Node would send the body of a DELETE without its length.
    const length = body && { 'content-length': String(body.length) };
    const headers = { ...Object.fromEntries(asked.headers), ...length };
    const sent = request(asked.url, { method: asked.method, headers, agent: false, signal });
    const replied = once(sent, 'response') as Promise<[IncomingMessage]>;
    // The reply may have come before the rest of the body was refused.
    sent.on('error', () => undefined);
    sent.end(body);
    const [reply] = await replied;
    return {
      status: reply.statusCode ?? 0,
      text: (await readText(reply)).slice(0, MAX_TEXT_LENGTH),
    };
  } catch (error) {
    if (signal.aborted) throw new Error('no reply', { cause: error });
    return { status: 0, text: String(error) };
  }
}

/** A JSON body to this path by the session of this token. */
export function askJson(
  world: World,
  { path, token }: { path: string; token: string },
  body: unknown,
): Promise<WireReply> {
  const headers = { 'content-type': 'application/json', 'x-auth-token': token };
  return ask(world, path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Milliseconds after the last byte of a request, and of its reply, that the connection is kept. */
const WAIT_FOR_REPLY_MS = 5000;
const WAIT_FOR_MORE_MS = 100;

/** Anything, on a connection of its own, until it is answered. A request without an end has no answer. */
export function sendBytes(world: World, parts: readonly (string | Buffer)[]): Promise<WireReply> {
  return exchange(world, async (socket, { ended, answered }) => {
    for (const part of parts) if (socket.writable) socket.write(part);
    await Promise.race([ended, answered, delay(WAIT_FOR_REPLY_MS)]);
    await Promise.race([ended, delay(WAIT_FOR_MORE_MS)]);
    socket.destroy();
  });
}

/** Part by part with pauses, until the server ends the connection. */
export function sendSlowly(
  world: World,
  parts: readonly string[],
  pause: number,
): Promise<WireReply> {
  const giveUp = new Promise((resolve) => world.ending.addEventListener('abort', resolve));
  return exchange(
    world,
    async (socket, { ended }) => {
      for (const part of parts) {
        if (!socket.writable || world.ending.aborted) break;
        socket.write(part);
        await Promise.race([delay(pause), ended, giveUp]);
      }
      await Promise.race([ended, giveUp]);
      socket.destroy();
    },
    SLOW_TIMEOUT_MS,
  );
}

type Course = { ended: Promise<void>; answered: Promise<unknown> };

async function exchange(
  { server }: World,
  converse: (socket: Socket, course: Course) => Promise<void>,
  timeoutMs = REPLY_TIMEOUT_MS,
): Promise<WireReply> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  const answered = new Promise((resolve) => socket.once('data', resolve));
  const ended = new Promise<void>((resolve) => {
    socket.setEncoding('latin1');
    socket.on('data', (part) => (text += text.length < MAX_TEXT_LENGTH ? String(part) : ''));
    // A reset is an answer, too.
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
  const late = AbortSignal.timeout(timeoutMs);
  late.addEventListener('abort', () => socket.destroy());
  await converse(socket, { ended, answered });
  await ended;
  if (late.aborted) throw new Error('the connection stayed open');
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text };
}
