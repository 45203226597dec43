import os from 'node:os';
import type { MixedLoad } from './comparison.ts';
import { describeFirstPage } from './first-page.ts';
import type { Samples } from './load.ts';
import { type Findings, measurementsOf } from './measurements.ts';
import { table, short, three, times } from './tables.ts';

/** All findings as Markdown tables. */
export function describe(findings: Findings): string {
  return [
    describeComparisons(findings),
    describeMixedLoad(findings),
    describeGrowth(findings),
    describeWalls(findings),
    describeBulk(findings),
    describeFirstPage(findings.firstPage),
    describeBundles(findings),
    describeRest(findings),
    describeBudgets(findings),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function describeComparisons({ clients, comparisons }: Findings): string {
  const rows = comparisons.map(({ name, bytes, sent, product, bare, node }) => [
    name,
    `${(bytes / 1000).toFixed(1)} / ${(sent / 1000).toFixed(1)}`,
    three(product),
    product.perSecond.toFixed(0),
    three(bare),
    three(node),
    `${times(product.p50, bare.p50)} / ${times(product.p99, bare.p99)}`,
    `${times(product.p50, node.p50)} / ${times(product.p99, node.p99)}`,
  ]);
  const ms = 'p50 / p95 / p99, ms';
  const head = [`${clients} clients`, 'reply / as sent, kB', `product: ${ms}`, 'requests/s'];
  const others = [`bare pg: ${ms}`, `bare node: ${ms}`, '× pg, p50 / p99', '× node, p50 / p99'];
  return table([...head, ...others], rows);
}

function describeMixedLoad({ mixed }: Findings): string {
  if (!mixed) return '';
  const row = (name: string, { samples, busy }: MixedLoad['one']) => [
    name,
    three(samples),
    samples.perSecond.toFixed(0),
    times(samples.perSecond, mixed.one.samples.perSecond),
    ...[busy.server, busy.database, busy.clients].map((processors) => processors.toFixed(2)),
  ];
  const busy = ['server', 'database', 'clients'].map((name) => `${name}, processors`);
  return table(
    ['mixed load', 'p50 / p95 / p99, ms', 'requests/s', '× one process', ...busy],
    [row('PROCESSES=1', mixed.one), row('PROCESSES=2', mixed.two)],
  );
}

function describeGrowth({ growth }: Findings): string {
  if (!growth) return '';
  const rows = growth.map(({ name, small, large }) => [
    name,
    three(small),
    three(large),
    `${times(large.p50, small.p50)} / ${times(large.p99, small.p99)}`,
  ]);
  const ms = 'p50 / p95 / p99, ms';
  return table(['in turns', `100,000 cases: ${ms}`, `all cases: ${ms}`, '×, p50 / p99'], rows);
}

function describeWalls({ walls }: Findings): string {
  if (!walls) return '';
  const rows = walls.some.map(({ name, open, walled, bare }, index) => [
    name,
    three(open),
    three(walled),
    `${times(walled.p50, open.p50)} / ${times(walled.p99, open.p99)}`,
    `${times(walled.p50, bare.p50)} / ${times(walled.p99, bare.p99)}`,
    walls.all[index] ? three(walls.all[index].samples) : '',
  ]);
  const ms = 'p50 / p95 / p99, ms';
  const some = [`no walls: ${ms}`, `2 % restricted: ${ms}`, '× no walls, p50 / p99'];
  const all = ['× pg, p50 / p99', `all restricted, 1 % seen, one client: ${ms}`];
  return table(['walls, in turns', ...some, ...all], rows);
}

function describeBulk({ bulk }: Findings): string {
  const rows = bulk.map(({ name, seconds, megabytes, growth, lag }) => [
    name,
    seconds.toFixed(1),
    megabytes.toFixed(1),
    growth.toFixed(0),
    lag.toFixed(0),
  ]);
  const measured = ['seconds', 'MB sent', 'server grows by, MB', 'event loop late, p99 ms'];
  return table(['long work', ...measured], rows);
}

function describeBundles({ bundles }: Findings): string {
  const rows = bundles.map(({ name, size, most }) => [name, size.toFixed(1), `≤ ${most}`]);
  return table(['scripts and styles as sent', 'kB', 'budget'], rows);
}

function describeRest({ starts, memory, news, drag, calendar, sockets, sizes }: Findings): string {
  const held = `${sockets.count.toLocaleString('en-US')} sockets on one process`;
  return table(
    ['', 'found'],
    [
      ['first start, empty directory, to /readyz', `${short(starts.empty)} ms`],
      ['start on existing data, to /readyz', `${short(starts.existing)} ms`],
      ['memory of all processes when idle', `${short(memory.idle)} MB`],
      ['the same at the first start over the data', `${short(memory.atFirst)} MB`],
      ['the same after the load, buffers of the database filled', `${short(memory.loaded)} MB`],
      ['database on disk', `${short(sizes.database)} MB`],
      ['its indexes', `${short(sizes.indexes)} MB`],
      ...sizes.largest.map(({ name, size }) => [`index ${name}`, `${short(size)} MB`]),
      [`${held}, memory of the process`, `${short(sockets.memory)} MB`],
      [`${held}, all notified of a move: p50 / p95 / p99`, `${three(sockets.delays)} ms`],
      ['a move, until another browser is notified: p50 / p95 / p99', `${three(news)} ms`],
      [`frames while the pointer moves over ${drag.cards} cards`, frames(drag.still)],
      ['frames while one of them is dragged', frames(drag.dragging)],
      [`a month of ${calendar.items} events, painted after the data`, frames(calendar.firstMonth)],
      ['a week of them', frames(calendar.firstWeek)],
      ['frames while its hours scroll', frames(calendar.scrolling)],
      ['frames while an event is dragged over it', frames(calendar.dragging)],
    ],
  );
}

function frames(samples: Samples): string {
  return `${three(samples)} ms, longest ${short(samples.most)} ms`;
}

function describeBudgets(findings: Findings): string {
  const rows = measurementsOf(findings).flatMap(({ name, value, unit, most }) =>
    most === undefined
      ? []
      : [[name, `${short(value)} ${unit}`, `≤ ${most} ${unit}`, value <= most ? 'kept' : 'MISSED']],
  );
  return table(['budget', 'found', 'promised', ''], rows);
}

export function describeMachine(): string {
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  const load = os.loadavg().map((value) => value.toFixed(1));
  const machine = `${os.availableParallelism()} × ${cpu?.model.trim()}, ${memory} GiB`;
  return `${machine}, Linux ${os.release()}, Node ${process.versions.node}, load ${load.join(' ')}`;
}
