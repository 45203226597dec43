import { existsSync, readFileSync, rmSync } from 'node:fs';

/** How many tests, or checks, went how. A flaky one passed, but not at its first try. */
export type Outcome = { passed: number; failed: number; skipped: number; flaky: number };

export const noOutcome: Outcome = { passed: 0, failed: 0, skipped: 0, flaky: 0 };

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
      flaky: 0,
    };
  });
}

/** Runs Playwright and counts its tests from the JSON report that it writes. */
export function countPlaywright(report: string, run: () => Promise<void>): Promise<Outcome> {
  return count(run, report, (text) => {
    const { stats } = JSON.parse(text) as PlaywrightReport;
    return {
      passed: stats.expected,
      failed: stats.unexpected,
      skipped: stats.skipped,
      flaky: stats.flaky,
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
  const outcome = existsSync(report) ? read(readFileSync(report, 'utf8')) : noOutcome;
  // A runner may fail outside of any test: a file that cannot be loaded, a set-up, no test at all.
  const isUnexplained = !isSound && outcome.failed === 0;
  const isEmpty = isSound && outcome.passed + outcome.skipped + outcome.flaky === 0;
  return isUnexplained || isEmpty ? { ...outcome, failed: outcome.failed + 1 } : outcome;
}

/** In words, as the last line of the test command: what is flaky is neither hidden nor a failure. */
export function describeOutcome({ passed, failed, skipped, flaky }: Outcome): string {
  const parts = [`${passed} passed`, `${failed} failed`];
  if (flaky > 0) parts.push(`${flaky} flaky`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return parts.join(', ');
}

export function add(one: Outcome, other: Outcome): Outcome {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    flaky: one.flaky + other.flaky,
  };
}
