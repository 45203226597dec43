import { existsSync, readFileSync, rmSync } from 'node:fs';

/** How many tests, or checks, went how. */
export type Outcome = { passed: number; failed: number; skipped: number };

type VitestReport = { numPassedTests: number; numFailedTests: number; numPendingTests: number };
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

/** Runs vitest and counts its tests from the JSON report that it writes. */
export function countVitest(report: string, run: () => Promise<void>): Promise<Outcome> {
  return count(run, report, (text) => {
    const found = JSON.parse(text) as VitestReport;
    return {
      passed: found.numPassedTests,
      failed: found.numFailedTests,
      skipped: found.numPendingTests,
    };
  });
}

/** Runs Playwright and counts its tests from the JSON report that it writes. */
export function countPlaywright(report: string, run: () => Promise<void>): Promise<Outcome> {
  return count(run, report, (text) => {
    const { stats } = JSON.parse(text) as PlaywrightReport;
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
    };
  });
}

async function count(
  run: () => Promise<void>,
  report: string,
  read: (text: string) => Outcome,
): Promise<Outcome> {
  rmSync(report, { force: true });
  const isSound = await run().then(
    () => true,
    () => false,
  );
  const none = { passed: 0, failed: 0, skipped: 0 };
  const outcome = existsSync(report) ? read(readFileSync(report, 'utf8')) : none;
  // A runner may fail outside of any test: a file that cannot be loaded, a set-up, no test at all.
  const isUnexplained = !isSound && outcome.failed === 0;
  const isEmpty = isSound && outcome.passed + outcome.skipped === 0;
  return isUnexplained || isEmpty ? { ...outcome, failed: outcome.failed + 1 } : outcome;
}

export function add(one: Outcome, other: Outcome): Outcome {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}
