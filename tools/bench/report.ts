import os from 'node:os';
import type { Bulk } from './bulk.ts';
import type { BundleSize } from './bundle-sizes.ts';
import type { Comparison } from './comparison.ts';
import type { DragFrames } from './drag.ts';
import type { Samples } from './samples.ts';

export type Findings = {
  clients: number;
  comparisons: Comparison[];
  bulk: Bulk[];
  bundles: BundleSize[];
  drag: DragFrames;
  /** Milliseconds until another browser is notified of a move. */
  news: Samples;
  /** Milliseconds until /readyz succeeds. */
  starts: { empty: number; existing: number };
  /** MB of the whole process tree. */
  memory: { idle: number; loaded: number };
};

/** All findings as Markdown tables. */
export function describe(findings: Findings): string {
  return [
    describeComparisons(findings),
    describeBulk(findings.bulk),
    describeBundles(findings.bundles),
    describeRest(findings),
    describeBudgets(findings),
  ].join('\n\n');
}

const short = (value: number) => value.toFixed(value >= 100 ? 0 : 1);
const three = ({ p50, p95, p99 }: Samples) => `${short(p50)} / ${short(p95)} / ${short(p99)}`;
const ratio = (value: number, base: number) => (value / base).toFixed(1);

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function describeComparisons({ clients, comparisons }: Findings): string {
  const rows = comparisons.map(({ name, bytes, product, bare, node }) => [
    name,
    (bytes / 1000).toFixed(1),
    three(product),
    product.perSecond.toFixed(0),
    three(bare),
    three(node),
    `${ratio(product.p50, bare.p50)} / ${ratio(product.p99, bare.p99)}`,
    `${ratio(product.p50, node.p50)} / ${ratio(product.p99, node.p99)}`,
  ]);
  const ms = 'p50 / p95 / p99, ms';
  const head = [`${clients} clients`, 'reply, kB', `product: ${ms}`, 'requests/s'];
  const others = [`bare pg: ${ms}`, `bare node: ${ms}`, '× pg, p50 / p99', '× node, p50 / p99'];
  return table([...head, ...others], rows);
}

function describeBulk(bulk: Bulk[]): string {
  const rows = bulk.map(({ name, seconds, megabytes, growth, lag }) => [
    name,
    seconds.toFixed(1),
    megabytes.toFixed(1),
    growth.toFixed(0),
    lag.toFixed(0),
  ]);
  const head = [
    'long work',
    'seconds',
    'MB sent',
    'server grows by, MB',
    'event loop late, p99 ms',
  ];
  return table(head, rows);
}

function describeBundles(bundles: BundleSize[]): string {
  const rows = bundles.map(({ name, size, most }) => [name, size.toFixed(1), `≤ ${most}`]);
  return table(['scripts and styles as sent', 'kB', 'budget'], rows);
}

function describeRest({ starts, memory, news, drag }: Findings): string {
  return table(
    ['', 'found'],
    [
      ['first start, empty directory, to /readyz', `${short(starts.empty)} ms`],
      ['start on existing data, to /readyz', `${short(starts.existing)} ms`],
      ['memory of all processes when idle', `${short(memory.idle)} MB`],
      ['the same after the load, buffers of the database filled', `${short(memory.loaded)} MB`],
      ['a move, until another browser is notified: p50 / p95 / p99', `${three(news)} ms`],
      [`frames while the pointer moves over ${drag.cards} cards`, frames(drag.still)],
      ['frames while one of them is dragged', frames(drag.dragging)],
    ],
  );
}

function frames(samples: Samples): string {
  return `${three(samples)} ms, longest ${short(samples.most)} ms`;
}

/** Promised limits; `most` has the unit of the finding. */
type Budget = { what: string; found: number; most: number; unit: string };

function describeBudgets(findings: Findings): string {
  const rows = budgetsOf(findings).map(({ what, found, most, unit }) => [
    what,
    `${short(found)} ${unit}`,
    `≤ ${most} ${unit}`,
    found <= most ? 'kept' : 'MISSED',
  ]);
  return table(['budget', 'found', 'promised', ''], rows);
}

function budgetsOf({ comparisons, bundles, drag, news, starts, memory }: Findings): Budget[] {
  const lists = comparisons.filter(({ name }) => /list|search/.test(name));
  const first = bundles.filter(({ name }) => name === 'first page');
  const others = bundles.filter(({ name }) => name !== 'first page');
  const largest = others.toSorted((a, b) => b.size - a.size).slice(0, 1);
  return [
    ...[...first, ...largest].map(({ name, size, most }) => ({
      what: name,
      found: size,
      most,
      unit: 'kB',
    })),
    ...lists.map(({ name, product, bare }) => ({
      what: `${name}, p99 in bare queries`,
      found: product.p99 / bare.p99,
      most: 5,
      unit: '×',
    })),
    { what: 'a move at the other browser, p95', found: news.p95, most: 100, unit: 'ms' },
    { what: 'dragging, longest frame', found: drag.dragging.most, most: 34, unit: 'ms' },
    { what: 'dragging, p95', found: drag.dragging.p95, most: 17, unit: 'ms' },
    { what: 'start on existing data', found: starts.existing, most: 2000, unit: 'ms' },
    { what: 'memory when idle', found: memory.idle, most: 250, unit: 'MB' },
  ];
}

export function describeMachine(): string {
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  const load = os.loadavg().map((value) => value.toFixed(1));
  const machine = `${os.availableParallelism()} × ${cpu?.model.trim()}, ${memory} GiB`;
  return `${machine}, Linux ${os.release()}, Node ${process.versions.node}, load ${load.join(' ')}`;
}
