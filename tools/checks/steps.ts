import { isCephInstalled, withObjectStore } from './ceph-s3.ts';
import { installedPostgres, withCluster } from './debian-postgres.ts';
import { countPlaywright, countVitest, noOutcome, type Outcome } from './outcome.ts';
import { root, runQuietly, runStreamed, type Command } from './run.ts';

/** What the command line asks of the steps. */
export type Asked = {
  /** Steps by name; all without it. */
  only: string[] | undefined;
  /** Of the test runners: just the files whose path holds one of these. */
  filters: string[];
  /** Run the server's tests on Debian's PostgreSQL as well, and those of S3 on its Ceph. */
  debian: boolean;
  /** A directory for reports that are read afterwards. */
  scratch: string;
};

/** One step of the test command. Its promise is refused when the step fails without counting tests. */
export type Step = {
  name: string;
  /** A test runner shows what it does while it does it. */
  isStreamed: boolean;
  /** Runs only when Debian's programs are asked for. */
  isOfDebian?: boolean;
  /** Why it does not run on this machine. */
  missing?: () => string | undefined;
  run: (asked: Asked) => Promise<Outcome>;
};

const workspaces = ['contract', 'server', 'client', 'tools'];
const vitestConfig = 'tools/checks/vitest.config.ts';

/** In the order in which they run: what answers soonest comes first. */
export const steps: Step[] = [
  check('types', ...workspaces.map((workspace) => ({ file: 'tsc', args: ['-p', workspace] }))),
  check('lint', { file: 'oxlint', args: ['--type-aware', '--deny-warnings'] }),
  check('format', { file: 'oxfmt', args: ['--check', '.'] }),
  check('structure', { file: 'node', args: ['tools/checks/main.ts'] }),
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
    isOfDebian: true,
    missing: () =>
      installedPostgres() === undefined
        ? 'no PostgreSQL of Debian’s is installed here, so the server’s tests ran on the embedded one alone'
        : undefined,
    run: onDebian,
  },
  {
    name: 's3',
    isStreamed: true,
    isOfDebian: true,
    missing: () =>
      isCephInstalled()
        ? undefined
        : 'no Ceph is installed here (radosgw, ceph-mon, ceph-osd), so files were stored on the disk alone',
    run: onCeph,
  },
  { name: 'browser', isStreamed: true, run: playwright },
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
  { filters, scratch }: Pick<Asked, 'filters' | 'scratch'>,
  more: string[],
  env?: Record<string, string>,
): Promise<Outcome> {
  const report = `${scratch}/vitest.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--config', vitestConfig, ...reporters, ...more, ...filters];
  return countVitest(report, () => runStreamed({ file: 'vitest', args, ...(env && { env }) }));
}

// Tests that bring a database of their own, or for which another one changes nothing, would only run twice.
const sameAnywhere = [
  'server/db/embedded/**',
  'server/integrations/**',
  'server/main*.test.ts',
  'server/app.bad-input.test.ts',
  'server/operations/backup.test.ts',
  'server/features/*/service*.crash.test.ts',
  'server/features/ai/jobs.test.ts',
  'server/features/files/service.memory.test.ts',
  'server/features/mails/{jobs.news,service,service.secrecy,service.reading}.test.ts',
];
const onServer = ['--project', 'server'].concat(
  sameAnywhere.flatMap((files) => ['--exclude', files]),
);

async function onDebian(asked: Asked): Promise<Outcome> {
  let outcome: Outcome = { ...noOutcome, failed: 1 };
  await withCluster(installedPostgres() ?? '', async (url) => {
    outcome = await vitest(asked, onServer, { TEST_DATABASE_URL: url });
  });
  return outcome;
}

async function onCeph({ scratch }: Asked): Promise<Outcome> {
  let outcome: Outcome = { ...noOutcome, failed: 1 };
  const filters = ['server/integrations/blobs', 'server/features/files/service.s3'];
  await withObjectStore(async (variables) => {
    outcome = await vitest({ filters, scratch }, [], variables);
  });
  return outcome;
}

async function playwright({ filters, scratch }: Asked): Promise<Outcome> {
  const report = `${scratch}/playwright.json`;
  return countPlaywright(report, () =>
    runStreamed({
      file: 'playwright',
      args: ['test', '-c', 'tools/e2e/playwright.config.ts', '--reporter=list,json', ...filters],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    }),
  );
}
