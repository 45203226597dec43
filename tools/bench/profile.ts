import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BareDatabase } from './bare-database.ts';
import { CHECKOUT, signInAdmins, startProduct } from './firm.ts';
import { HttpClient } from './http-client.ts';
import { measure, summarize, type Load } from './load.ts';
import type { Scenario } from './scenarios.ts';
import { short, table } from './tables.ts';

/** Microseconds between two looks at the server, and milliseconds between two at the database. */
const SERVER_EVERY = 500;
const DATABASE_EVERY = 5;
const LISTED = 15;

type ProfileOptions = Load & {
  /** A part of a scenario's name. */
  part: string;
  scenariosOf: (database: BareDatabase) => Promise<Scenario[]>;
};

/**
 * Loads one scenario alone, and leaves what the server and the database did meanwhile.
 * @returns the folder, with a CPU profile of the server and the statements of the database
 */
export async function profileScenario(dataDir: string, wanted: ProfileOptions): Promise<string> {
  const folder = path.join(CHECKOUT, '.cache/profiles', wanted.part.replaceAll(/\W+/g, '-'));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const profiling = `--cpu-prof-interval=${SERVER_EVERY}`;
  const flags = ['--cpu-prof', profiling, `--cpu-prof-dir=${folder}`];
  const product = await startProduct(dataDir, {}, flags);
  const database = new BareDatabase(dataDir);
  let statements = '';
  try {
    const scenario = (await wanted.scenariosOf(database)).find(({ name }) =>
      name.includes(wanted.part),
    );
    if (!scenario) throw new Error(`No scenario has '${wanted.part}' in its name`);
    statements = await loadAndWatch({ port: product.port, database, scenario, load: wanted });
  } finally {
    await database.close();
    await product.stop();
  }
  const written = fs.readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  // The profile of the server itself is the longest: others are of its short-lived helpers.
  const [server] = written.toSorted(
    (a, b) => fs.statSync(path.join(folder, b)).size - fs.statSync(path.join(folder, a)).size,
  );
  if (server === undefined) throw new Error('The server left no profile');
  const kept = path.join(folder, 'server.cpuprofile');
  fs.renameSync(path.join(folder, server), kept);
  const busiest = busiestOf(JSON.parse(fs.readFileSync(kept, 'utf8')) as CpuProfile);
  const rows = busiest.map(({ what, ms }) => [what, short(ms)]);
  const functions = table(['function', 'ms'], rows);
  fs.writeFileSync(path.join(folder, 'summary.md'), `${functions}\n\n${statements}\n`);
  return folder;
}

type LoadedProduct = { port: number; database: BareDatabase; scenario: Scenario; load: Load };

async function loadAndWatch({ port, database, scenario, load }: LoadedProduct): Promise<string> {
  const clients = Math.min(scenario.clients ?? Infinity, load.clients);
  const client = new HttpClient(port, clients, await signInAdmins(port, clients));
  const running = new AbortController();
  const watching = watchStatements(database, running.signal);
  let n = 0;
  const { seconds } = load;
  const took = await measure({ clients, seconds }, () => client.ask(scenario.request((n += 1))));
  running.abort();
  client.close();
  const { p50, p99, perSecond } = summarize(took, seconds);
  const seen = await watching;
  const looks = [...seen.values()].reduce((sum, times) => sum + times, 0);
  const rows = [...seen]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, LISTED)
    .map(([text, times]) => [`${short((times / looks) * 100)} %`, `\`${oneLine(text)}\``]);
  return [
    `${scenario.name}: ${clients} clients, p50 ${short(p50)}, p99 ${short(p99)} ms, ${perSecond.toFixed(0)} a second.`,
    table(['time of the database', 'statement'], rows),
    ...(await plansOf(database, scenario)),
  ].join('\n\n');
}

/** Counts how often each statement of the product was found running. */
async function watchStatements(
  database: BareDatabase,
  until: AbortSignal,
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  while (!until.aborted) {
    const active = await database.read<{ query: string }>(
      `select query from pg_stat_activity
        where state = 'active' and datname = current_database() and pid <> pg_backend_pid()`,
    );
    for (const { query } of active) seen.set(query, (seen.get(query) ?? 0) + 1);
    await delay(DATABASE_EVERY);
  }
  return seen;
}

/** Plans of what a reading scenario asks the database; those of a write would write again. */
async function plansOf(database: BareDatabase, { isWrite, bare }: Scenario): Promise<string[]> {
  if (isWrite) return [];
  const plans: string[] = [];
  for (const { text, values } of bare(0).statements) {
    const explained = `explain (analyze, buffers) ${text}`;
    const rows = await database.read<{ 'QUERY PLAN': string }>(explained, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    plans.push(`\`\`\`\n${text.trim()}\n\n${plan}\n\`\`\``);
  }
  return plans;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '¦').trim();
}

type CallFrame = { functionName: string; url: string; lineNumber: number };
/** The file that the engine writes: each sample is the node that ran, each delta the microseconds since the last one. */
export type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
};

/** Functions by the milliseconds that they ran themselves, without those that they called. */
export function busiestOf({ nodes, samples, timeDeltas }: CpuProfile) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  }
  return [...times]
    .filter(([what]) => what !== '(idle)')
    .map(([what, ms]) => ({ what, ms }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, LISTED);
}

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  return `${name}, ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`;
}
