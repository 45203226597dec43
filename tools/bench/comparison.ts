import type { BareDatabase } from './bare-database.ts';
import { HttpClient } from './http-client.ts';
import { measure, type Load } from './load.ts';
import { summarize, type Samples } from './samples.ts';
import type { Scenario } from './scenarios.ts';

export type Comparison = {
  name: string;
  /** Whether it changes data. */
  isWrite: boolean;
  bytes: number;
  product: Samples;
  bare: Samples;
  node: Samples;
};

type Places = {
  product: { port: number; tokens: string[] };
  database: BareDatabase;
  node: { port: number };
};

/** Interleaved, so that what else the machine does meets all three alike. */
const ROUNDS = 3;

/** The same load on the product, on its database alone and on a server that only replies. */
export async function compare(
  { name, isWrite, clients = Infinity, request, bare }: Scenario,
  { product, database, node }: Places,
  { clients: most, seconds }: Load,
): Promise<Comparison> {
  const load = { clients: Math.min(clients, most), seconds };
  const real = new HttpClient(product.port, load.clients, product.tokens);
  const empty = new HttpClient(node.port, load.clients);
  // Counted over all rounds, so that a write never repeats.
  let n = 0;
  try {
    const { body } = await real.ask(request(n));
    const path = `/${body.length}`;
    const [found, onDatabase, onNode] = await inRounds(load, [
      { share: 2, call: () => real.ask(request((n += 1))) },
      { share: 1, call: () => database.send(bare((n += 1))) },
      { share: 1, call: () => empty.ask({ ...request((n += 1)), path }) },
    ]);
    return { name, isWrite, bytes: body.length, product: found, bare: onDatabase, node: onNode };
  } finally {
    real.close();
    empty.close();
  }
}

/** A share of 2 takes the load's seconds, and a share of 1 half of them. */
type Call = { share: number; call: () => Promise<unknown> };
type Summaries<Calls extends readonly Call[]> = { -readonly [Index in keyof Calls]: Samples };

/** The samples of each call, taken in turns. */
export async function inRounds<const Calls extends readonly Call[]>(
  { clients, seconds }: Load,
  calls: Calls,
): Promise<Summaries<Calls>> {
  const lasting = (share: number) => (seconds * share) / 2;
  const found = calls.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { share, call }] of calls.entries()) {
      const load = { clients, seconds: lasting(share) / ROUNDS };
      for (const milliseconds of await measure(load, call)) found[index]?.push(milliseconds);
    }
  return calls.map(({ share }, index) =>
    summarize(found[index] ?? [], lasting(share)),
  ) as Summaries<Calls>;
}
