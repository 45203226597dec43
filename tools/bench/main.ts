import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BareDatabase, startBareNode } from './bare-database.ts';
import { describeBeside, measureBeside } from './beside.ts';
import { importCases, readWholeList, uploadAndRead } from './bulk.ts';
import { compare, type Comparison, measureGrowth, measureMixedLoad } from './comparison.ts';
import { withData, withFirm, type Firm, signInAdmins, signInAdmin, type FirmSize } from './firm.ts';
import { measureFirstStart } from './first-page.ts';
import { treeMemory, weighBundles, measureSizes } from './footprint.ts';
import { measureCalendar, measureDrag } from './frames.ts';
import {
  type Findings,
  accept,
  readLast,
  slowerThan,
  measurementsOf,
  writeDown,
  type Measurement,
} from './measurements.ts';
import { profileScenario } from './profile.ts';
import { describe, describeMachine } from './report.ts';
import {
  calendarScenarios,
  conflictScenario,
  pageScenarios,
  readingScenarios,
  type Scenario,
} from './scenarios.ts';
import { measureNews, measureSockets } from './sockets.ts';
import { short } from './tables.ts';
import { measureWalls } from './walls.ts';
import { writingScenarios } from './writing.ts';

const IDLE_MS = 5000;
const MOVES = 300;
const IMPORTED = 20_000;
/** The number of cases that a larger firm is compared with. */
const USUAL_CASES = 100_000;

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

async function bench(options: BenchOptions): Promise<void> {
  say(describeMachine());
  if (options.only !== undefined) {
    await withData(options, sayItIsSeeding, (dataDir) =>
      withFirm(dataDir, (firm) => benchSome(firm, options)),
    );
    return;
  }
  const { profile: part } = options;
  if (part !== undefined) {
    const wanted = { ...options, part, scenariosOf: allScenarios };
    const profile = (dataDir: string) => profileScenario(dataDir, wanted);
    const folder = await withData(options, sayItIsSeeding, profile);
    say(`The profile is in ${folder}: server.cpuprofile, and summary.md`);
    return;
  }
  if (options.beside) {
    await benchBeside(options);
    return;
  }
  const bundles = await weighBundles();
  const { firstPage, empty } = await measureFirstStart();
  const found = await withData(options, sayItIsSeeding, async (dataDir) => {
    // The first start over seeded data looks through all of it.
    const atFirst = await withFirm(dataDir, memoryWhenIdle);
    const { scenarios, ...found } = await withFirm(dataDir, (firm) => benchFirm(firm, options));
    say(`Opening ${options.sockets} sockets, and moving cards`);
    // As if all of them came through a proxy: one client has fewer.
    const proxied = { TRUST_PROXY: '1' };
    const sockets = await withFirm(
      dataDir,
      (firm) => measureSockets(firm, options.sockets),
      proxied,
    );
    say('Sending a mixed load to one process, and to two');
    const mixed = await measureMixedLoad(dataDir, scenarios, options);
    const walls = options.cases > USUAL_CASES ? undefined : await benchWalls(dataDir, options);
    const starts = { empty, existing: found.startedIn };
    return { ...found, memory: { ...found.memory, atFirst }, sockets, mixed, walls, starts };
  });
  const findings = { ...found, clients: options.clients, bundles, firstPage };
  const tables = `${new Date().toISOString().slice(0, 10)}: ${describeMachine()}.\n\n${describe(findings)}`;
  say(`\n${tables}\n`);
  conclude(options, measurementsOf(findings), tables);
}

/** Beside another product. A whole run is written down. */
async function benchBeside(options: BenchOptions): Promise<void> {
  const found = await withData(options, sayItIsSeeding, (dataDir) =>
    withFirm(dataDir, (firm) => measureBeside(firm, { dataDir, load: options, say })),
  );
  const tables = describeBeside(found, options);
  say(`\n${tables}\n`);
  if (options.isQuick || options.cases !== USUAL_CASES) return;
  writeDown('beside directus', tables);
  say('The table is in docs/performance.md');
}

function benchWalls(dataDir: string, options: BenchOptions) {
  say('Restricting matters');
  return withFirm(dataDir, (firm) => measureWalls(firm, options));
}

function sayItIsSeeding() {
  say('Seeding the firm, once');
}

async function allScenarios(database: BareDatabase): Promise<Scenario[]> {
  return [
    ...(await readingScenarios(database)),
    ...(await writingScenarios(database)),
    ...(await calendarScenarios(database)),
    ...(await pageScenarios(database)),
    await conflictScenario(database),
  ];
}

/** Measures the scenarios whose names have a part in common. */
async function benchSome(firm: Firm, options: BenchOptions): Promise<void> {
  const all = await allScenarios(firm.database);
  const scenarios = all.filter(({ name }) => name.includes(options.only ?? ''));
  const found = await compareAll(firm, { scenarios, options });
  for (const { name, product: ours, bytes, sent } of found)
    say(
      `${name}: p95 ${short(ours.p95)} ms, ${short(bytes / 1000)} kB, ${short(sent / 1000)} as sent`,
    );
}

/** MB of the whole process tree, a moment after its start. */
async function memoryWhenIdle({ product }: Firm): Promise<number> {
  await delay(IDLE_MS);
  return treeMemory(product.pid);
}

type ScenarioFindings = Omit<
  Findings,
  'bundles' | 'firstPage' | 'starts' | 'clients' | 'sockets' | 'mixed' | 'walls' | 'memory'
> & {
  memory: Omit<Findings['memory'], 'atFirst'>;
  scenarios: Scenario[];
  startedIn: number;
};

async function benchFirm(firm: Firm, options: BenchOptions): Promise<ScenarioFindings> {
  const { product, database } = firm;
  const idle = await memoryWhenIdle(firm);
  const sizes = await measureSizes(database);
  const { token } = await signInAdmin(product.port);
  say('Moving cards, and listening at another browser');
  const news = await measureNews(product.port, database, MOVES);
  const scenarios = [...(await readingScenarios(database)), ...(await writingScenarios(database))];
  const calendarAndNames = [
    ...(await calendarScenarios(database)),
    ...(await pageScenarios(database)),
    await conflictScenario(database),
  ];
  const compared = [...scenarios, ...calendarAndNames];
  const comparisons = await compareAll(firm, { scenarios: compared, options });
  const growth = options.cases > USUAL_CASES ? await compareWithUsual(firm, options) : undefined;
  // Before the import, whose names are compared in the background for minutes.
  say('Dragging a card over a full board');
  const drag = await measureDrag(product.port, database);
  say('Opening and dragging a calendar of 5,000 items');
  const calendar = await measureCalendar(product.port);
  say('Reading the whole list, importing, and uploading');
  const place = { product, token };
  const bulk = [
    await readWholeList(place),
    await importCases(place, Math.min(IMPORTED, options.cases / 5)),
    ...(await uploadAndRead(place, options.upload)),
  ];
  const memory = { idle, loaded: treeMemory(product.pid) };
  const { startedIn } = product;
  return { comparisons, growth, bulk, drag, calendar, news, sizes, memory, scenarios, startedIn };
}

type ComparisonRun = { scenarios: Scenario[]; options: BenchOptions };

async function compareAll(
  { product, database }: Firm,
  { scenarios, options }: ComparisonRun,
): Promise<Comparison[]> {
  const tokens = await signInAdmins(product.port, options.clients);
  const node = await startBareNode();
  const places = { product: { port: product.port, tokens }, database, node };
  try {
    const found: Comparison[] = [];
    for (const scenario of scenarios) {
      const comparison = await compare(scenario, places, options);
      const { product: ours, bare } = comparison;
      say(
        `Under load: ${scenario.name}, p50 ${short(ours.p50)}, p99 ${short(ours.p99)} ms; bare ${short(bare.p50)}, ${short(bare.p99)}`,
      );
      found.push(comparison);
    }
    return found;
  } finally {
    await node.stop();
  }
}

async function compareWithUsual(large: Firm, options: BenchOptions) {
  say(`The same with ${USUAL_CASES} cases, in turns`);
  return withData(firmOf(USUAL_CASES), sayItIsSeeding, (dataDir) =>
    withFirm(dataDir, (small) => measureGrowth(small, large, options)),
  );
}

/** Fails with the names of rows that got slower or broke their promise. */
function conclude(options: BenchOptions, measurements: Measurement[], tables: string): void {
  const last = readLast(options.cases);
  if (!last) say(`There is no last measurement of ${options.cases} cases to compare with`);
  const slower = slowerThan(last ?? {}, measurements);
  for (const { name, value, unit, last, most } of slower)
    say(`SLOWER: ${name}: ${short(value)} ${unit}, last ${short(last)}, at most ${short(most)}`);
  const missed = measurements.filter(({ value, most }) => most !== undefined && value > most);
  for (const { name, value, unit, most } of missed)
    say(`MISSED: ${name}: ${short(value)} ${unit}, promised ${most}`);
  if (options.isAccepted) accept(options.cases, measurements, tables);
  else if (slower.length + missed.length > 0) process.exitCode = 1;
}

try {
  await bench(readBenchOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

type BenchOptions = FirmSize & {
  clients: number;
  sockets: number;
  /** MiB of the uploaded file. */
  upload: number;
  /** Seconds per load measurement of the product. */
  seconds: number;
  /** Whether the findings become the last measurement. */
  isAccepted: boolean;
  /** A part of the names of the scenarios to measure; undefined for all, and all else. */
  only: string | undefined;
  /** A part of the name of the scenario to profile instead. */
  profile: string | undefined;
  /** Whether to measure Directus beside the product instead. */
  beside: boolean;
  isQuick: boolean;
};

const USAGE =
  'npm run bench takes --cases <number>, --quick, --only <part of a name>, --profile <part of a name>, --beside directus and --accept';

/** @throws Error with a one-line usage */
function readBenchOptions(args: string[]): BenchOptions {
  const given = parse(args);
  const { cases: text, quick = false, accept: isAccepted = false, only, profile, beside } = given;
  const cases = Number(text ?? (quick ? 5000 : 100_000));
  if (!Number.isInteger(cases) || cases < 1000 || cases > 1_000_000)
    throw new Error('--cases takes a whole number from 1000 to 1000000');
  if (beside !== undefined && beside !== 'directus') throw new Error('--beside takes directus');
  if (beside !== undefined && (isAccepted || only !== undefined || profile !== undefined))
    throw new Error('--beside goes with --cases and --quick alone');
  if ((quick || only !== undefined || profile !== undefined) && isAccepted)
    throw new Error('--accept needs a whole run, without --quick, --only and --profile');
  return {
    ...firmOf(cases),
    clients: 50,
    sockets: quick ? 1000 : 10_000,
    upload: quick ? 64 : 1024,
    seconds: quick ? 1.5 : 6,
    isAccepted,
    only,
    profile,
    beside: beside !== undefined,
    isQuick: quick,
  };
}

function firmOf(cases: number): FirmSize {
  return { cases, users: Math.min(10_000, Math.ceil(cases / 200)), tasks: cases * 2 };
}

function parse(args: string[]) {
  const options = {
    cases: { type: 'string' },
    quick: { type: 'boolean' },
    accept: { type: 'boolean' },
    only: { type: 'string' },
    profile: { type: 'string' },
    beside: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch {
    throw new Error(USAGE);
  }
}
