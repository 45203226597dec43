import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { outcomeReporter, REPORT } from './outcome.ts';
import { ATTACK, CLUSTER, LONG, longTests } from './run.ts';

const root = resolve(import.meta.dirname, '../..');

// Modules are shared between the files of a worker: setting each file up anew costs ten times the tests.
// Twice as many workers as CI has cores: most tests wait for a database, for other processes, or for time to run out.
const shared = { isolate: false, pool: 'threads', maxWorkers: 4 } as const;

const attacks = 'server/testing/attack/*.test.ts';

const exclude = ['**/node_modules/**', attacks, ...(process.env[LONG] ? [] : [longTests])];

// Those that start programs, fill disks or kill: begun last, they would be waited for by idle workers.
const isSlow = /server\/(main|db\/embedded)|\.(crash|long)\.test|extract/;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    const sorted = await super.sort(files);
    const slow = sorted.filter(({ moduleId }) => isSlow.test(moduleId));
    return [...slow, ...sorted.filter((file) => !slow.includes(file))];
  }
}

// Only what hangs runs out of time: a slow machine does not.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 };

const cluster = {
  root,
  test: {
    ...shared,
    ...timeouts,
    hookTimeout: 300_000,
    name: 'cluster',
    include: ['tools/cluster/**/*.test.ts'],
  },
};

const attack = {
  root,
  test: {
    ...shared,
    ...timeouts,
    name: 'attack',
    pool: 'forks' as const,
    include: [attacks],
    globalSetup: ['server/testing/global-setup.ts'],
  },
};

const report = process.env[REPORT];

export default defineConfig({
  root,
  cacheDir: 'node_modules/.cache/vitest',
  test: {
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', ...(report === undefined ? [] : [outcomeReporter(report)])],
    projects: [
      {
        root,
        test: {
          ...shared,
          ...timeouts,
          name: 'plain',
          include: [
            'contract/**/*.test.ts',
            'tools/{checks,bench,eval,sandbox,launch}/**/*.test.ts',
          ],
        },
      },
      ...(process.env[CLUSTER] ? [cluster] : []),
      ...(process.env[ATTACK] ? [attack] : []),
      {
        root,
        test: {
          ...shared,
          name: 'server',
          pool: 'forks',
          include: ['{server,tools/seed}/**/*.test.ts'],
          exclude,
          globalSetup: ['server/testing/global-setup.ts'],
          ...timeouts,
          expect: { poll: { timeout: 60_000, interval: 10 } },
        },
      },
      {
        root,
        test: {
          ...shared,
          ...timeouts,
          name: 'client',
          include: ['client/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: ['tools/checks/client-setup.ts'],
          // Longer than `eventually` waits, so that a failure names the unmet condition.
          testTimeout: 30_000,
        },
      },
    ],
  },
});
