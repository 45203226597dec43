import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BareDatabase } from './bare-database.ts';
import { startBareNode } from './bare-node.ts';
import { importCases, readWholeList } from './bulk.ts';
import { weighBundles } from './bundle-sizes.ts';
import { compare, type Comparison } from './comparison.ts';
import { measureDrag } from './drag.ts';
import { describeFirstPage, measureFirstPage } from './first-page.ts';
import { treeMemory } from './memory.ts';
import { measureNews } from './news.ts';
import { readBenchOptions, type BenchOptions } from './options.ts';
import { startProduct, type Product } from './product.ts';
import { describe, describeMachine, type Findings } from './report.ts';
import * as scenarios from './scenarios.ts';
import { prepareData } from './seeded-data.ts';
import { signInAdmin } from './sign-in.ts';
import { uploadAndRead } from './upload.ts';

const IDLE_MS = 5000;
const MOVES = 300;
const IMPORTED = 20_000;
/** MiB. */
const UPLOADED = 1024;

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

async function bench(options: BenchOptions): Promise<void> {
  say(describeMachine());
  const bundles = await weighBundles();
  const empty = await measureFirstStart();
  const dataDir = await prepareData(options, () => say('Seeding the firm, once'));
  try {
    const product = await startProduct(dataDir);
    const database = new BareDatabase(dataDir);
    try {
      const found = await benchProduct({ product, database, options });
      const starts = { empty, existing: product.startedIn };
      say(`\n${describe({ ...found, clients: options.clients, bundles, starts })}\n`);
    } finally {
      await database.close();
      await product.stop();
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
  say(describeMachine());
}

/** Milliseconds of the first start. Reports the first page while nothing else runs. */
async function measureFirstStart(): Promise<number> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-bench-empty-'));
  try {
    const product = await startProduct(dataDir);
    say(`${describeFirstPage(await measureFirstPage(product.port))}\n`);
    await product.stop();
    return product.startedIn;
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

type Parts = { product: Product; database: BareDatabase; options: BenchOptions };

async function benchProduct(
  parts: Parts,
): Promise<Omit<Findings, 'bundles' | 'starts' | 'clients'>> {
  const { product, database, options } = parts;
  await delay(IDLE_MS);
  const idle = treeMemory(product.pid);
  const { token } = await signInAdmin(product.port);
  say('Moving cards, and listening at another browser');
  const news = await measureNews(product.port, database, MOVES);
  const comparisons = await compareAll({ ...parts, token });
  say('Reading the whole list, importing, and uploading');
  const bulk = [
    await readWholeList({ product, token }),
    await importCases({ product, token }, Math.min(IMPORTED, options.cases / 5)),
    ...(await uploadAndRead({ product, token }, UPLOADED)),
  ];
  const memory = { idle, loaded: treeMemory(product.pid) };
  say('Dragging a card over a full board');
  const drag = await measureDrag(product.port, database);
  return { comparisons, bulk, drag, news, memory };
}

async function compareAll({
  product,
  token,
  database,
  options,
}: Parts & { token: string }): Promise<Comparison[]> {
  const node = await startBareNode();
  const places = { product: { port: product.port, token }, database, node };
  try {
    const all = [
      ...(await scenarios.listScenarios(database)),
      await scenarios.boardScenario(database),
      await scenarios.createScenario(database),
      await scenarios.moveScenario(database),
    ];
    const found: Comparison[] = [];
    for (const scenario of all) {
      const comparison = await compare(scenario, places, options);
      const { p50, p99 } = comparison.product;
      say(`Under load: ${scenario.name}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`);
      found.push(comparison);
    }
    return found;
  } finally {
    await node.stop();
  }
}

try {
  await bench(readBenchOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
