import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BareDatabase } from './bare-database.ts';
import { startBareNode } from './bare-node.ts';
import { importCases, readWholeList } from './bulk.ts';
import { compare, type Comparison } from './comparison.ts';
import { treeMemory } from './memory.ts';
import { measureNews } from './news.ts';
import { readBenchOptions, type BenchOptions } from './options.ts';
import { startProduct, type Product } from './product.ts';
import * as report from './report.ts';
import * as scenarios from './scenarios.ts';
import { prepareData } from './seeded-data.ts';
import { signInAdmin } from './sign-in.ts';

const IDLE_MS = 5000;
const MOVES = 300;

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

async function bench(options: BenchOptions) {
  say(report.describeMachine());
  const empty = await measureEmptyStart();
  const dataDir = await prepareData(options, () => say('Seeding the firm, once'));
  try {
    const product = await startProduct(dataDir);
    try {
      await benchProduct(product, { dataDir, options, empty });
    } finally {
      await product.stop();
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
  say(report.describeMachine());
}

/** Milliseconds of the very first start. */
async function measureEmptyStart(): Promise<number> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-bench-empty-'));
  try {
    const product = await startProduct(dataDir);
    await product.stop();
    return product.startedIn;
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

type Circumstances = { dataDir: string; options: BenchOptions; empty: number };

async function benchProduct(product: Product, { dataDir, options, empty }: Circumstances) {
  await delay(IDLE_MS);
  const idle = treeMemory(product.pid);
  const { token } = await signInAdmin(product.port);
  const database = new BareDatabase(dataDir);
  try {
    const news = await measureNews(product.port, database, MOVES);
    const comparisons = await compareAll({ product, token, database, options });
    const bulk = [
      await readWholeList({ product, token }),
      await importCases({ product, token }, Math.min(20_000, options.cases / 5)),
    ];
    const loaded = treeMemory(product.pid);
    say(report.describeComparisons(comparisons));
    say(report.describeBulk(bulk));
    const searches = comparisons.filter(({ name }) => /list|search/.test(name));
    say(
      report.describeBudgets([
        ...searches.map(({ name, product, bare }) => ({
          what: `p99 of ${name}, in bare queries`,
          found: product.p99 / bare.p99,
          most: 5,
          unit: '×',
        })),
        { what: 'a move at the other browser, p95', found: news.p95, most: 100, unit: 'ms' },
        { what: 'start on existing data', found: product.startedIn, most: 2000, unit: 'ms' },
        { what: 'memory when idle', found: idle, most: 250, unit: 'MB' },
      ]),
    );
    say(`First start on an empty directory: ${empty.toFixed(0)} ms`);
    say(`Move to other browser: p50 ${news.p50.toFixed(1)}, p95 ${news.p95.toFixed(1)} ms`);
    say(`Memory after all of it, shared buffers filled: ${loaded.toFixed(0)} MB`);
  } finally {
    await database.close();
  }
}

type Parts = { product: Product; token: string; database: BareDatabase; options: BenchOptions };

async function compareAll({ product, token, database, options }: Parts): Promise<Comparison[]> {
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
      say(`${scenario.name}: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`);
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
