import type { BareDatabase } from './bare-database.ts';
import { inRounds } from './comparison.ts';
import {
  type Search,
  toDirectus,
  type Directus,
  DIRECTUS,
  installDirectus,
  startDirectus,
} from './directus.ts';
import { type Firm, signInAdmins } from './firm.ts';
import { HttpClient, type HttpRequest } from './http-client.ts';
import type { Load, Samples } from './load.ts';
import { describeMachine } from './report.ts';
import { readingScenarios, type Scenario } from './scenarios.ts';
import { short, table } from './tables.ts';
import { writingScenarios } from './writing.ts';

/** One kind of request to both products. */
export type ComparedSamples = { name: string; ours: Samples; theirs: Samples };
type Pair = { name: string; isWrite: boolean; request: Scenario['request']; search: Search };

/** New cases come last: what their names meet is compared for minutes, also in turns of the other product. */
const WRITES = ['create a task', 'move a card', 'create a case'];

/** Seconds for which each product answers each kind of reading first, so that both run compiled and over a warm database. */
const WARM_UP = 4;

type BesideRun = { dataDir: string; load: Load; say: (line: string) => void };

/** Measures Directus over the database of the running product, in turns with the product. */
export async function measureBeside(
  { product, database }: Firm,
  { dataDir, load, say }: BesideRun,
): Promise<ComparedSamples[]> {
  if (await installDirectus()) say(`Installed Directus ${DIRECTUS}`);
  const pairs = await pairsOf(database);
  const directus = await startDirectus(dataDir, database, load.clients);
  const tokens = await signInAdmins(product.port, load.clients);
  const ours = new HttpClient(product.port, load.clients, tokens);
  const theirs = new HttpClient(directus.port, load.clients);
  try {
    const found: ComparedSamples[] = [];
    for (const pair of pairs) {
      const both = await measurePair(pair, { ours, theirs, directus, load });
      say(
        `${both.name}: ${rateOf(both.ours, load)} a second, Directus ${rateOf(both.theirs, load)}`,
      );
      found.push(both);
    }
    return found;
  } finally {
    ours.close();
    theirs.close();
    await directus.stop();
  }
}

/** Each search twice, since the index of ours answers Directus, too, where a client asks for its column. */
async function pairsOf(database: BareDatabase): Promise<Pair[]> {
  const pairs = (await readingScenarios(database)).flatMap(({ name, request }): Pair[] => {
    const pair = { name, isWrite: false, request, search: 'own' } as const;
    if (!name.startsWith('search')) return [pair];
    return [pair, { ...pair, name: `${name}, by our index`, search: 'indexed' }];
  });
  const writing = await writingScenarios(database);
  const writes = WRITES.flatMap((wanted) =>
    writing.flatMap(({ name, request }): Pair[] =>
      name === wanted ? [{ name, isWrite: true, request, search: 'own' }] : [],
    ),
  );
  return [...pairs, ...writes];
}

type Places = { ours: HttpClient; theirs: HttpClient; directus: Directus; load: Load };

async function measurePair(
  pair: Pair,
  { ours, theirs, directus, load }: Places,
): Promise<ComparedSamples> {
  const { name, isWrite, request, search } = pair;
  // Counted over both, so that no write repeats.
  let n = 0;
  const ask = () => request((n += 1));
  const translated = (wanted: HttpRequest): HttpRequest => {
    const bearer = directus.tokens[n % directus.tokens.length];
    return { ...toDirectus(wanted, search), bearer };
  };
  if (!isWrite) {
    const wanted = ask();
    const mine = await ours.ask(wanted);
    const others = await theirs.ask(translated(wanted));
    requireSameRows(name, mine.body, others.body);
  }
  const calls = [
    { share: 2, call: () => ours.ask(ask()) },
    { share: 2, call: () => theirs.ask(translated(ask())) },
  ] as const;
  if (!isWrite) await inRounds({ ...load, seconds: WARM_UP }, calls);
  const [mine, others] = await inRounds(load, calls);
  return { name, ours: mine, theirs: others };
}

/** @throws Error unless both replies hold the same rows */
function requireSameRows(name: string, ours: Buffer, theirs: Buffer): void {
  const [mine, others] = [ours, theirs].map((body) => idsIn(body).toSorted().join(' '));
  if (mine === '' || mine !== others)
    throw new Error(`${name}: Directus found '${others}', and we found '${mine}'`);
}

/** Ids of the rows of a reply from either product. */
export function idsIn(reply: Buffer): string[] {
  const { body, data } = JSON.parse(reply.toString('utf8')) as Reply;
  const single = body?.case ?? data ?? [];
  const columns = Object.values(body?.tasks?.columns ?? {});
  const rows = body?.cases ?? [...columns.flatMap(({ items }) => items), ...[single].flat()];
  return rows.map(({ id }) => id);
}

type Row = { id: string };
type ProductReply = {
  cases?: Row[];
  case?: Row;
  tasks?: { columns: Record<string, { items: Row[] }> };
};
type Reply = { body?: ProductReply; data?: Row | Row[] };

/** A Markdown table, below the machine that it is of. */
export function describeBeside(
  found: ComparedSamples[],
  { clients, cases }: { clients: number; cases: number },
): string {
  const rows = found.map(({ name, ours, theirs }) => [
    name,
    rateOf(ours, { clients }),
    `${short(ours.p50)} / ${short(ours.p95)}`,
    rateOf(theirs, { clients }),
    `${short(theirs.p50)} / ${short(theirs.p95)}`,
    (theirs.mean / ours.mean).toFixed(1),
  ]);
  const size = `${cases.toLocaleString('en-US')} cases, ${clients} clients`;
  const head = [
    size,
    'requests/s',
    'p50 / p95, ms',
    `Directus ${DIRECTUS}`,
    'its p50 / p95, ms',
    '×',
  ];
  return `${new Date().toISOString().slice(0, 10)}: ${describeMachine()}.\n\n${table(head, rows)}`;
}

/** Clients who always wait for a reply get as many as their time holds; a count in a window would add those that end after it. */
function rateOf({ mean }: Samples, { clients }: { clients: number }): string {
  return short((clients * 1000) / mean);
}
