import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BareRefusal } from '@matterdesk/contract/errors.ts';
import { toRefusal } from './error-reply.ts';

type Event = { event: string; data: unknown };

/** True when the caller asked for server-sent events. */
export function wantsEvents(request: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? '');
}

/** Aborts when the caller disconnects before the reply is complete. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Sends events as they come. What is thrown on the way becomes an `error` event with `status` and `message`. */
export async function sendEvents(reply: FastifyReply, events: AsyncIterable<Event>): Promise<void> {
  await reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // A proxy that buffers would hold the first words back.
    .header('x-accel-buffering', 'no')
    .send(Readable.from(written(reply, events)));
}

async function* written(reply: FastifyReply, events: AsyncIterable<Event>) {
  try {
    for await (const { event, data } of events) yield line(event, data);
  } catch (error) {
    const { status, message, code } = toRefusal(error);
    if (code === 'unexpected' && !reply.raw.destroyed)
      reply.log.error({ err: error }, 'unexpected in an event stream');
    yield line('error', { status, code, message } satisfies BareRefusal);
  }
}

function line(event: string, data: unknown) {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
