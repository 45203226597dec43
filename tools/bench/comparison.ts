import { VariablesSchema } from '@matterdesk/server/config.variables.ts';
import type { BareDatabase } from './bare-database.ts';
import { type Firm, signInAdmins, startProduct } from './firm.ts';
import { processorTimes } from './footprint.ts';
import { HttpClient, type HttpRequest } from './http-client.ts';
import { measure, type Load, summarize, type Samples } from './load.ts';
import { type Scenario, readingScenarios } from './scenarios.ts';
import { writingScenarios } from './writing.ts';

export type Comparison = {
  name: string;
  /** Whether it changes data. */
  isWrite: boolean;
  bytes: number;
  /** Bytes of the reply to a browser on another machine. */
  sent: number;
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
    const remote = await real.ask({ ...request((n += 1)), isRemote: true });
    const path = `/${body.length}`;
    const [found, onDatabase, onNode] = await inRounds(load, [
      { share: 2, call: () => real.ask(request((n += 1))) },
      { share: 1, call: () => database.send(bare((n += 1))) },
      { share: 1, call: () => empty.ask({ ...request((n += 1)), path }) },
    ]);
    const sizes = { bytes: body.length, sent: remote.body.length };
    return { name, isWrite, ...sizes, product: found, bare: onDatabase, node: onNode };
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
  const secondsOf = (share: number) => (seconds * share) / 2;
  const found = calls.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { share, call }] of calls.entries()) {
      const load = { clients, seconds: secondsOf(share) / ROUNDS };
      for (const milliseconds of await measure(load, call)) found[index]?.push(milliseconds);
    }
  return calls.map(({ share }, index) =>
    summarize(found[index] ?? [], secondsOf(share)),
  ) as Summaries<Calls>;
}

/** The same request at the two sizes, measured in turns. */
export type Growth = { name: string; small: Samples; large: Samples };

/** Measures the growth of the load's response times with the number of cases. */
export async function measureGrowth(small: Firm, large: Firm, load: Load): Promise<Growth[]> {
  const before = await callsOf(small, load);
  const after = await callsOf(large, load);
  const grown: Growth[] = [];
  for (const [index, { name, call }] of before.calls.entries()) {
    const larger = after.calls[index]?.call ?? call;
    const [less, more] = await inRounds(load, [
      { share: 2, call },
      { share: 2, call: larger },
    ]);
    grown.push({ name, small: less, large: more });
  }
  before.client.close();
  after.client.close();
  return grown;
}

async function callsOf({ product, database }: Firm, { clients }: Load) {
  const client = new HttpClient(product.port, clients, await signInAdmins(product.port, clients));
  const all = [...(await readingScenarios(database)), ...(await writingScenarios(database))];
  const calls = all.map(({ name, request }) => {
    let n = 0;
    return { name, call: () => client.ask(request((n += 1))) };
  });
  return { client, calls };
}

/** Processors that the server, the database and the clients kept busy. */
type ProcessorUse = { server: number; database: number; clients: number };

/** The same mixed load on one process and on two. */
export type MixedLoad = Record<'one' | 'two', { samples: Samples; busy: ProcessorUse }>;

/** Requests of each kind in twenty. */
const SHARES: Record<string, number> = {
  'list page of 50': 6,
  'search, a name': 2,
  'board of a case': 4,
  'single case': 4,
  'create a case': 1,
  'create a task': 1,
  'move a card': 2,
};

/** The product must not run yet. @returns undefined when the product knows no PROCESSES */
export async function measureMixedLoad(
  dataDir: string,
  scenarios: Scenario[],
  load: Load,
): Promise<MixedLoad | undefined> {
  if (!('PROCESSES' in VariablesSchema.shape)) return undefined;
  const cycle = scenarios.flatMap(({ name, request }) =>
    Array.from({ length: SHARES[name] ?? 0 }, () => request),
  );
  // Writes of all rounds must differ, also from those before.
  let n = 1_000_000;
  const next = () => cycle[(n += 1) % cycle.length]?.(n) ?? { path: '/' };
  const on = (processes: number) => measureOn({ dataDir, processes, next, load });
  return { one: await on(1), two: await on(2) };
}

type Run = { dataDir: string; processes: number; next: () => HttpRequest; load: Load };

async function measureOn({ dataDir, processes, next, load }: Run) {
  const product = await startProduct(dataDir, { PROCESSES: String(processes) });
  try {
    const tokens = await signInAdmins(product.port, load.clients);
    const client = new HttpClient(product.port, load.clients, tokens);
    const [before, clients, begun] = [
      processorTimes(product.pid),
      process.cpuUsage(),
      performance.now(),
    ];
    const [samples] = await inRounds(load, [{ share: 2, call: () => client.ask(next()) }]);
    const seconds = (performance.now() - begun) / 1000;
    const [after, { user, system }] = [processorTimes(product.pid), process.cpuUsage(clients)];
    client.close();
    const busy = {
      server: (after.server - before.server) / seconds,
      database: (after.database - before.database) / seconds,
      clients: (user + system) / 1e6 / seconds,
    };
    return { samples, busy };
  } finally {
    await product.stop();
  }
}
