import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BareRefusal } from '@matterdesk/contract/errors.ts';
import { toRefusal } from './error-reply.ts';
import { describeTotal } from './paging.ts';

/**
 * Streams a list of any length, whose items are JSON, in the envelope, batch by batch, to keep memory flat and the event
 * loop responsive. An error midway aborts the connection, so that a client never takes a partial list for the whole.
 */
export async function streamList(
  reply: FastifyReply,
  name: string,
  batches: AsyncIterable<string[]>,
): Promise<undefined> {
  const all = await withFirstItem(batches);
  async function* write() {
    let count = 0;
    yield `{"statusCode":200,"message":"OK","body":{${JSON.stringify(name)}:[`;
    for await (const batch of all) {
      yield (count === 0 ? '' : ',') + batch.join(',');
      count += batch.length;
    }
    yield `],${JSON.stringify({ ...describeTotal(count), nextCursor: null }).slice(1)}}`;
  }
  await reply.type('application/json; charset=utf-8').send(Readable.from(write()));
  return undefined;
}

/** Waits for the first item, so that an error before it still sets the status of the reply. */
export async function withFirstItem<Item>(
  items: AsyncIterable<Item>,
): Promise<AsyncIterable<Item>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all() {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return all();
}

type Event = { event: string; data: unknown };

export function wantsEvents(request: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? '');
}

/** Aborts when the client disconnects before the end of the reply. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Streams events. An error becomes an `error` event with `status`, `code` and `message`. */
export async function sendEvents(reply: FastifyReply, events: AsyncIterable<Event>): Promise<void> {
  await reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // A buffering proxy would delay the first events.
    .header('x-accel-buffering', 'no')
    .send(Readable.from(writeEvents(reply, events)));
}

async function* writeEvents(reply: FastifyReply, events: AsyncIterable<Event>) {
  try {
    for await (const { event, data } of events) yield formatEvent(event, data);
  } catch (error) {
    const { status, message, code } = toRefusal(error);
    if (code === 'unexpected' && !reply.raw.destroyed)
      reply.log.error({ err: error }, 'unexpected in an event stream');
    yield formatEvent('error', { status, code, message } satisfies BareRefusal);
  }
}

function formatEvent(event: string, data: unknown) {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
