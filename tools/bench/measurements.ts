import fs from 'node:fs';
import path from 'node:path';
import type { Bulk } from './bulk.ts';
import type { Comparison, Growth, MixedLoad } from './comparison.ts';
import { CHECKOUT } from './firm.ts';
import type { FirstPage } from './first-page.ts';
import type { BundleSize, Sizes } from './footprint.ts';
import type { CalendarFrames, DragFrames } from './frames.ts';
import type { Samples } from './load.ts';
import type { Sockets } from './sockets.ts';
import type { Walls } from './walls.ts';

/** A finding where less is better; `most` is its promised limit. */
export type Measurement = { name: string; value: number; unit: Unit; most?: number };
type Unit = '×' | 'ms' | 'MB' | 'kB';

/** The findings that are promised or compared with the last measurement. */
export function measurementsOf(findings: Findings): Measurement[] {
  return [
    ...findings.comparisons.flatMap(ofComparison),
    ...ofMixedLoad(findings),
    ...ofGrowth(findings),
    ...ofWalls(findings),
    ...ofSockets(findings),
    ...ofBulk(findings),
    ...ofBundles(findings),
    ...ofTheRest(findings),
  ];
}

const MAX_LIST = 1.5;
const MAX_SEARCH = 5;
const MAX_WRITE = 3;
/** Milliseconds, of five people who ask at once. */
const MAX_PAGE = 500;

function ofComparison(comparison: Findings['comparisons'][number]): Measurement[] {
  const { name, isWrite, product, bare, node } = comparison;
  const bound = name.startsWith('list') ? MAX_LIST : MAX_SEARCH;
  const isPage = /^(?:list|search)/.test(name);
  const ratio = (base: Samples, at: 'p50' | 'p99') => product[at] / base[at];
  return [
    {
      name: `${name}, p50 in bare statements`,
      value: ratio(bare, 'p50'),
      unit: '×',
      ...(isWrite && { most: MAX_WRITE }),
      ...(isPage && { most: bound }),
    },
    {
      name: `${name}, p99 in bare statements`,
      value: ratio(bare, 'p99'),
      unit: '×',
      ...(isPage && { most: bound }),
    },
    { name: `${name}, p50 in bare Node replies`, value: ratio(node, 'p50'), unit: '×' },
    ...(name.startsWith('a name') ? [ofName(product)] : []),
    ...(name.startsWith('calendar') ? ofCalendar(comparison) : []),
    ...(name.startsWith('page')
      ? [{ name: `${name}, p50`, value: product.p50, unit: 'ms' as const, most: MAX_PAGE }]
      : []),
  ];
}

/** The reply has 5,000 items. */
function ofCalendar({ name, sent, product }: Findings['comparisons'][number]): Measurement[] {
  return [
    { name: `${name}, as sent`, value: sent / 1000, unit: 'kB', most: 300 },
    { name: `${name}, p50`, value: product.p50, unit: 'ms', most: 150 },
  ];
}

/** The number of names differs between runs. */
function ofName({ p95 }: Samples): Measurement {
  return { name: 'a name while it is typed, p95', value: p95, unit: 'ms', most: 200 };
}

function ofMixedLoad({ mixed }: Findings): Measurement[] {
  if (!mixed) return [];
  const value = mixed.one.samples.perSecond / mixed.two.samples.perSecond;
  return [{ name: 'mixed load, time on two processes in that on one', value, unit: '×' }];
}

function ofGrowth({ growth = [] }: Findings): Measurement[] {
  return growth.map(({ name, small, large }) => ({
    name: `${name}, p50 in that at 100,000`,
    value: large.p50 / small.p50,
    unit: '×',
    most: 1.5,
  }));
}

function ofWalls({ walls }: Findings): Measurement[] {
  if (!walls) return [];
  const some = walls.some.flatMap(({ name, open, walled, bare }): Measurement[] => [
    {
      name: `${name}, 2 % restricted, p50 in that without walls`,
      value: walled.p50 / open.p50,
      unit: '×',
      most: 1.2,
    },
    {
      name: `${name}, 2 % restricted, p50 in bare statements`,
      value: walled.p50 / bare.p50,
      unit: '×',
      ...(name.startsWith('list') && { most: 2 }),
    },
  ]);
  const all = walls.all.map(({ name, samples }): Measurement => ({
    name: `${name}, all restricted and 1 % seen, p99`,
    value: samples.p99,
    unit: 'ms',
    most: 100,
  }));
  return [...some, ...all];
}

function ofSockets({ sockets: { count, memory, delays } }: Findings): Measurement[] {
  const name = `${count.toLocaleString('en-US')} sockets`;
  return [
    { name: `${name}, memory of the process`, value: memory, unit: 'MB', most: 400 },
    { name: `${name}, notified of a move, p99`, value: delays.p99, unit: 'ms', most: 250 },
  ];
}

function ofBulk({ bulk }: Findings): Measurement[] {
  return bulk.map(({ name, growth }) => ({
    name: `${name}, server grows by`,
    value: growth,
    unit: 'MB',
    most: 60,
  }));
}

function ofBundles({ bundles, firstPage }: Findings): Measurement[] {
  const pages = bundles.filter(({ name }) => name.endsWith('adds'));
  const largest = pages.toSorted((a, b) => b.size - a.size).slice(0, 1);
  return [
    { name: 'first page, as sent', value: firstPage.total / 1000, unit: 'kB', most: 150 },
    { name: 'first page, largest paint', value: firstPage.largestPaint, unit: 'ms', most: 1800 },
    ...largest.map(({ name, size: value, most }) => ({ name, value, unit: 'kB' as const, most })),
  ];
}

function ofTheRest({ news, drag, calendar, starts, memory }: Findings): Measurement[] {
  return [
    { name: 'a move at the other browser, p95', value: news.p95, unit: 'ms', most: 50 },
    { name: 'dragging, longest frame', value: drag.dragging.most, unit: 'ms', most: 34 },
    { name: 'dragging, p95', value: drag.dragging.p95, unit: 'ms', most: 17 },
    { name: 'calendar, first month', value: calendar.firstMonth.p50, unit: 'ms', most: 300 },
    { name: 'calendar, first week', value: calendar.firstWeek.p50, unit: 'ms', most: 300 },
    { name: 'calendar, dragging, p95', value: calendar.dragging.p95, unit: 'ms', most: 17 },
    { name: 'calendar, dragging, longest', value: calendar.dragging.most, unit: 'ms', most: 34 },
    { name: 'start on existing data', value: starts.existing, unit: 'ms', most: 2000 },
    { name: 'memory when idle', value: memory.idle, unit: 'MB', most: 250 },
  ];
}

/** Values by name. */
type LastValues = Record<string, number>;

/** Noise allowed above the last value, as a factor and in the measurement's unit. */
const TOLERANCE = {
  // Milliseconds depend on the machine, ratios and sizes hardly.
  ms: { factor: 2, extra: 5 },
  '×': { factor: 1.25, extra: 0.1 },
  MB: { factor: 1.25, extra: 10 },
  kB: { factor: 1.05, extra: 0 },
} as const;
/** The slowest call in a hundred varies more between runs. */
const TAIL = 1.5;

type Slowdown = { name: string; value: number; unit: string; last: number; most: number };

/** The measurements that got slower or larger than the last ones by more than noise. */
export function slowerThan(last: LastValues, measurements: Measurement[]): Slowdown[] {
  return measurements.flatMap(({ name, value, unit }) => {
    const before = last[name];
    if (before === undefined) return [];
    const { factor, extra } = TOLERANCE[unit];
    const most = before * (/p99/.test(name) ? Math.max(factor, TAIL) : factor) + extra;
    return value > most ? [{ name, value, unit, last: before, most }] : [];
  });
}

export function toLast(measurements: Measurement[]): LastValues {
  return Object.fromEntries(
    measurements.map(({ name, value }) => [name, Number(value.toFixed(3))]),
  );
}

const DOCUMENT = path.join(CHECKOUT, 'docs/performance.md');
/** The same measurements as data, by number of cases. */
const DATA = path.join(CHECKOUT, 'docs/performance.json');

export function readLast(cases: number): LastValues | undefined {
  return readAll()[cases];
}

function readAll(): Record<string, LastValues> {
  if (!fs.existsSync(DATA)) return {};
  return JSON.parse(fs.readFileSync(DATA, 'utf8')) as Record<string, LastValues>;
}

/** Makes this run the last measurement of its number of cases, and its tables those of the document. */
export function accept(cases: number, measurements: Measurement[], tables: string): void {
  const all = { ...readAll(), [cases]: toLast(measurements) };
  fs.writeFileSync(DATA, `${JSON.stringify(all, null, 2)}\n`);
  writeDown(cases, tables);
}

/** Makes them the tables of the document in that place. */
export function writeDown(place: number | string, tables: string): void {
  fs.writeFileSync(DOCUMENT, withTables(fs.readFileSync(DOCUMENT, 'utf8'), place, tables));
}

/** Replaces what is between the marks of that number of cases, or of that name. */
export function withTables(document: string, place: number | string, tables: string): string {
  const [begin, end] = [`<!-- bench ${place} -->`, `<!-- end of bench ${place} -->`];
  const [before, rest] = document.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`docs/performance.md has no place for ${nameOf(place)}: ${begin} and ${end}`);
  return `${before}${begin}\n\n${tables}\n\n${end}${after}`;
}

function nameOf(place: number | string): string {
  return typeof place === 'number' ? `${place} cases` : `'${place}'`;
}

export type Findings = {
  clients: number;
  comparisons: Comparison[];
  mixed: MixedLoad | undefined;
  /** Only for a firm of more than 100,000 cases. */
  growth: Growth[] | undefined;
  /** Only for a firm of up to 100,000 cases. */
  walls: Walls | undefined;
  bulk: Bulk[];
  bundles: BundleSize[];
  firstPage: FirstPage;
  drag: DragFrames;
  calendar: CalendarFrames;
  /** Milliseconds until another browser is notified of a move. */
  news: Samples;
  sockets: Sockets;
  sizes: Sizes;
  /** Milliseconds until /readyz succeeds. */
  starts: { empty: number; existing: number };
  /** MB of the whole process tree. */
  memory: { atFirst: number; idle: number; loaded: number };
};
