import { mkdtempSync, rmSync, existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  add,
  describeFailures,
  describeOutcome,
  describeSlowest,
  noOutcome,
  REPORT,
  type Outcome,
  countPlaywright,
  countVitest,
} from './outcome.ts';
import {
  CommandFailed,
  signalAll,
  root,
  runQuietly,
  runStreamed,
  type Command,
  ATTACK,
  CLUSTER,
  LONG,
  longTests,
} from './run.ts';
import { isCephInstalled, withObjectStore, installedPostgres, withCluster } from './services.ts';

/** Options from the command line. */
type SuiteOptions = {
  /** Steps by name; all without it. */
  only: string[] | undefined;
  /** Limits the test runners to files whose path contains one of these. */
  filters: string[];
  /** Everything: tests that take minutes, Debian's PostgreSQL, S3 on its Ceph, and two machines. */
  isLong: boolean;
  /** Beside the short form, the step on two machines. */
  hasCluster: boolean;
  /** A directory for reports that are read afterwards. */
  scratch: string;
};

/** One step of the test command. Its promise is refused when the step fails without counting tests. */
type Step = {
  name: string;
  /** A test runner shows what it does while it does it. */
  isStreamed: boolean;
  /** Runs only in the long form, or when asked for by name. */
  isLong?: boolean;
  /** Why it does not run on this machine. */
  missing?: () => string | undefined;
  run: (asked: SuiteOptions) => Promise<Outcome>;
};

const workspaces = ['contract', 'server', 'client', 'tools'];
const vitestConfig = 'tools/checks/vitest.config.ts';

/** In the order in which they run: what answers soonest comes first. */
const steps: Step[] = [
  check('types', ...workspaces.map((workspace) => ({ file: 'tsc', args: ['-p', workspace] }))),
  check('lint', { file: 'oxlint', args: ['--type-aware', '--deny-warnings'] }),
  check('format', { file: 'oxfmt', args: ['--check', '.'] }),
  check('structure', { file: 'node', args: ['tools/checks/main.ts'] }),
  check('documents', { file: 'node', args: ['tools/checks/documents.ts'] }),
  check('dead', {
    file: 'knip',
    args: ['-c', 'tools/checks/knip.json', '--no-progress', '--no-config-hints'],
  }),
  check('size', {
    file: 'size-limit',
    args: ['--config', 'checks/size-limit.config.ts'],
    // It looks for its plugins in the package of the directory that it runs in.
    cwd: `${root}/tools`,
  }),
  { name: 'unit', isStreamed: true, run: (asked) => vitest(asked, []) },
  {
    name: 'debian',
    isStreamed: true,
    isLong: true,
    missing: () =>
      installedPostgres() === undefined
        ? 'no PostgreSQL of Debian’s is installed here, so the server’s tests ran on the embedded one alone'
        : undefined,
    run: onDebian,
  },
  {
    name: 's3',
    isStreamed: true,
    isLong: true,
    missing: () =>
      isCephInstalled()
        ? undefined
        : 'no Ceph is installed here (radosgw, ceph-mon, ceph-osd), so files were stored on the disk alone',
    run: onCeph,
  },
  { name: 'cluster', isStreamed: true, isLong: true, missing: missingOfCluster, run: onCluster },
  { name: 'browser', isStreamed: true, run: playwright },
  // Alone, since it measures what single turns of the server cost.
  { name: 'attack', isStreamed: true, isLong: true, run: onAttack },
];

/** A check passes or fails as one; commands that can run side by side do so two at a time. */
function check(name: string, ...commands: Command[]): Step {
  return {
    name,
    isStreamed: false,
    run: async () => {
      const waiting = [...commands];
      const failures: unknown[] = [];
      const lane = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          await runQuietly(next).catch((error: unknown) => failures.push(error));
        }
      };
      await Promise.all([lane(), lane()]);
      if (failures.length > 0) throw new AggregateError(failures, `${name} failed`);
      return { ...noOutcome, passed: 1 };
    },
  };
}

async function vitest(
  { filters, isLong, scratch }: Pick<SuiteOptions, 'filters' | 'isLong' | 'scratch'>,
  more: string[],
  variables: Record<string, string> = {},
): Promise<Outcome> {
  const report = `${scratch}/vitest.json`;
  const args = ['run', '--config', vitestConfig, ...more, ...filters];
  const env = { ...variables, [REPORT]: report, ...(isLong && { [LONG]: '1' }) };
  return countVitest(report, () => runStreamed({ file: 'vitest', args, env }));
}

// On another PostgreSQL nothing but SQL can come out differently, so these are the tests of what speaks it:
// stores and search (behind the routes and services that alone reach them), the queue, and notifications;
// every database that they make is migrated. What a stand-in, a file, a process or HTTP decides is not among them.
const ofSql = [
  'server/db/*.test.ts',
  'server/features/{accounts,audit,calendar,cases,dashboard,deadlines,tasks}/{routes,service,store}*.test.ts',
  'server/features/deadlines/*/{routes,service}*.test.ts',
  'server/features/ai/routes*.test.ts',
  'server/features/ai/retrieval/service.embeddings.test.ts',
  'server/features/files/routes*.test.ts',
  'server/features/mails/{connect/service,push/service,compose/service.uploads}.test.ts',
  'server/features/messages/{jobs,routes}*.test.ts',
  'server/features/messages/inbound/routes.test.ts',
  'tools/seed/firm.test.ts',
  'server/realtime/publisher.test.ts',
];

async function onDebian({ filters, scratch }: SuiteOptions): Promise<Outcome> {
  const files = globSync(ofSql, { cwd: root, exclude: [longTests] }).filter(
    (file) => filters.length === 0 || filters.some((part) => file.includes(part)),
  );
  const renamed = ofSql.filter((pattern) => globSync(pattern, { cwd: root }).length === 0);
  if (renamed.length > 0) throw new Error(`No test is named ${renamed.join(' or ')}`);
  if (files.length === 0) return noOutcome;
  let outcome: Outcome = { ...noOutcome, failed: 1 };
  await withCluster(installedPostgres() ?? '', async (url) => {
    const env = { TEST_DATABASE_URL: url };
    const asked = { filters: files, isLong: false, scratch };
    outcome = await vitest(asked, ['--project', 'server'], env);
  });
  return outcome;
}

async function onCeph({ scratch }: SuiteOptions): Promise<Outcome> {
  let outcome: Outcome = { ...noOutcome, failed: 1 };
  const filters = ['server/integrations/blobs', 'server/features/files/service.s3'];
  await withObjectStore(async (variables) => {
    outcome = await vitest({ filters, isLong: false, scratch }, [], variables);
  });
  return outcome;
}

function missingOfCluster(): string | undefined {
  const packages = { postgresql: installedPostgres(), ...programsOf('pgbouncer', 'haproxy') };
  const missing = Object.entries(packages).filter(([, found]) => found === undefined);
  if (missing.length === 0) return undefined;
  const names = missing.map(([name]) => name).join(', ');
  return `no ${names} of Debian’s here, so nothing ran on two machines`;
}

function programsOf(...names: string[]): Record<string, string | undefined> {
  const find = (name: string) => [`/usr/sbin/${name}`].find((path) => existsSync(path));
  return Object.fromEntries(names.map((name) => [name, find(name)]));
}

async function onCluster({ scratch }: SuiteOptions): Promise<Outcome> {
  if (!isCephInstalled()) console.log('no Ceph is installed here, so no files are shared by S3');
  const asked = { filters: [], isLong: false, scratch };
  return vitest(asked, ['--project', 'cluster'], { [CLUSTER]: '1' });
}

async function onAttack({ scratch }: SuiteOptions): Promise<Outcome> {
  const asked = { filters: [], isLong: false, scratch };
  return vitest(asked, ['--project', 'attack'], { [ATTACK]: '1' });
}

async function playwright({ filters, isLong, scratch }: SuiteOptions): Promise<Outcome> {
  const report = `${scratch}/playwright.json`;
  return countPlaywright(report, () =>
    runStreamed({
      file: 'playwright',
      args: ['test', '-c', 'tools/e2e/playwright.config.ts', '--reporter=list,json', ...filters],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(isLong && { [LONG]: '1' }) },
    }),
  );
}

const names = steps.map(({ name }) => name).join(',');
const usage = `npm test -- [--only ${names}] [--long] [--cluster] [part of a test file's path …]`;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let stoppedBy: NodeJS.Signals | undefined;
for (const signal of stopSignals) process.on(signal, () => stop(signal));
// A closed channel means that the launcher was killed.
process.on('disconnect', () => stop('SIGTERM'));
process.channel?.unref();

const scratch = mkdtempSync(join(tmpdir(), 'matterdesk-suite-'));
try {
  process.exitCode = await runSteps(readArguments(process.argv.slice(2)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function stop(signal: NodeJS.Signals): void {
  stoppedBy = signal;
  signalAll(signal);
}

function readArguments(args: string[]): SuiteOptions {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        long: { type: 'boolean' },
        cluster: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    const only = values.only?.split(',');
    const unknown = only?.find((name) => !steps.some((step) => step.name === name));
    if (unknown !== undefined) throw new Error(`There is no step ${unknown}`);
    const { long: isLong = false, cluster: hasCluster = false } = values;
    return { only, isLong, hasCluster, filters: positionals, scratch };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    rmSync(scratch, { recursive: true, force: true });
    process.exit(2);
  }
}

async function runSteps(asked: SuiteOptions): Promise<number> {
  const chosen = steps.filter(({ name, isLong }) =>
    asked.only === undefined
      ? !isLong || asked.isLong || (asked.hasCluster && name === 'cluster')
      : asked.only.includes(name),
  );
  let total = noOutcome;
  for (const step of chosen) {
    if (stoppedBy !== undefined) break;
    total = add(total, named(step, await runStep(step, asked)));
  }
  if (stoppedBy !== undefined) {
    console.log(`stopped by ${stoppedBy}`);
    return 1;
  }
  for (const line of [...describeSlowest(total), ...describeFailures(total)]) console.log(line);
  console.log(describeOutcome(total));
  return total.failed === 0 ? 0 : 1;
}

/** A step that failed outside of any test is named itself. */
function named({ name }: Step, outcome: Outcome): Outcome {
  const isUnnamed = outcome.failed > outcome.failures.length;
  return isUnnamed ? { ...outcome, failures: [...outcome.failures, name] } : outcome;
}

async function runStep(step: Step, asked: SuiteOptions): Promise<Outcome> {
  const missing = step.missing?.();
  if (missing !== undefined) {
    console.log(`${step.name.padEnd(10)} skipped: ${missing}`);
    return { ...noOutcome, skipped: 1 };
  }
  if (step.isStreamed) console.log(`${step.name} …`);
  const begun = performance.now();
  const complaints: string[] = [];
  const outcome = await step.run(asked).catch((error: unknown) => {
    complaints.push(...explain(error));
    return { ...noOutcome, failed: 1 };
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
  const flaky = outcome.flaky === 0 ? '' : `, ${outcome.flaky} flaky`;
  const result = outcome.failed === 0 ? 'ok' : 'FAIL';
  console.log(`${step.name.padEnd(10)} ${seconds} s  ${result}${flaky}`);
  for (const complaint of complaints) console.error(complaint);
  return outcome;
}

function explain(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(explain);
  if (error instanceof CommandFailed) return [error.output.trimEnd(), error.message];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}
