import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod/mini';
import { describeTotal } from './paging.ts';

/**
 * Sends a list of any length in the envelope, batch by batch: memory stays flat and the event loop breathes.
 * A fault in the middle cuts the connection, so that a partial list is never mistaken for the whole.
 */
export async function sendWholeList<Item>(
  reply: FastifyReply,
  { name, schema }: { name: string; schema: z.ZodMiniType<Item> },
  batches: AsyncIterable<Item[]>,
): Promise<undefined> {
  const all = await begun(batches);
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

/** The same, once its first item is there: a fault before it can still be told by a status. */
export async function begun<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all() {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return all();
}
