import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod/mini';
import { describeTotal } from './paging.ts';

/**
 * Streams a list of any length in the envelope, batch by batch, to keep memory flat and the event loop responsive. An
 * error midway aborts the connection, so that a client never takes a partial list for the whole.
 */
export async function streamList<Item>(
  reply: FastifyReply,
  { name, schema }: { name: string; schema: z.ZodMiniType<Item> },
  batches: AsyncIterable<Item[]>,
): Promise<undefined> {
  const all = await withFirstItem(batches);
  async function* write() {
    let count = 0;
    yield `{"statusCode":200,"message":"OK","body":{${JSON.stringify(name)}:[`;
    for await (const batch of all) {
      const items = batch.map((item) => JSON.stringify(schema.parse(item)));
      yield (count === 0 ? '' : ',') + items.join(',');
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
