import os from 'node:os';
import type { Bulk } from './bulk.ts';
import type { Comparison } from './comparison.ts';
import type { Samples } from './samples.ts';

/** What the design promises, and what was found; `most` is in the value's own unit. */
export type Budget = { what: string; found: number; most: number; unit: string };

const short = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
const three = ({ p50, p95, p99 }: Samples) => `${short(p50)} / ${short(p95)} / ${short(p99)}`;

/** Rows of a Markdown table. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function describeComparisons(comparisons: Comparison[]): string {
  const head = ['50 clients', 'product: p50 / p95 / p99 ms', 'req/s', 'bare pg', 'bare node'];
  const rows = comparisons.map(({ name, product, bare, node }) => [
    name,
    three(product),
    product.perSecond.toFixed(0),
    three(bare),
    three(node),
    ratio(product.p50, bare.p50),
    ratio(product.p99, bare.p99),
    ratio(product.p50, node.p50),
    ratio(product.p99, node.p99),
  ]);
  return table([...head, 'p50 × pg', 'p99 × pg', 'p50 × node', 'p99 × node'], rows);
}

function ratio(value: number, base: number): string {
  return (value / base).toFixed(1);
}

export function describeBulk(bulk: Bulk[]): string {
  const rows = bulk.map(({ name, seconds, megabytes, growth, lag }) => [
    name,
    seconds.toFixed(1),
    megabytes.toFixed(1),
    growth.toFixed(0),
    lag.toFixed(0),
  ]);
  return table(['long work', 's', 'MB sent', 'memory grows by MB', 'event loop p99 ms'], rows);
}

export function describeBudgets(budgets: Budget[]): string {
  const rows = budgets.map(({ what, found, most, unit }) => [
    what,
    `${short(found)} ${unit}`,
    `≤ ${most} ${unit}`,
    found <= most ? 'kept' : 'MISSED',
  ]);
  return table(['budget', 'found', 'promised', ''], rows);
}

export function describeMachine(): string {
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  const load = os.loadavg().map((value) => value.toFixed(1));
  const machine = `${os.availableParallelism()} × ${cpu?.model.trim()}, ${memory} GiB`;
  return `${machine}, Linux ${os.release()}, Node ${process.versions.node}, load ${load.join(' ')}`;
}
