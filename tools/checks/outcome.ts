import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Counts of tests, or checks, by result. A flaky one passed, but not at its first try. */
export type Outcome = {
  passed: number;
  failed: number;
  skipped: number;
  flaky: number;
  /** Those that took longest, the longest first. */
  slowest: TimedTest[];
  /** Failed tests, and what failed around them, by name and with the reason, for the end of a long log. */
  failures: string[];
};

type TimedTest = { name: string; seconds: number };

export const noOutcome: Outcome = {
  passed: 0,
  failed: 0,
  skipped: 0,
  flaky: 0,
  slowest: [],
  failures: [],
};

const SHOWN = 10;
/** Characters of a failure's message that the end of the log shows. */
const MAX_REASON_LENGTH = 500;

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
};
type PlaywrightSuite = {
  file: string;
  specs: { title: string; ok: boolean; tests: { results: { duration: number }[] }[] }[];
  suites?: PlaywrightSuite[];
};

/** The variable that names the file to which vitest reports. */
export const REPORT = 'MATTERDESK_TEST_REPORT';

/** Reports to a file for `countVitest`. Unlike vitest's own JSON it has what fails outside of tests: hooks, files. */
export function outcomeReporter(report: string): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      writeFileSync(report, JSON.stringify(outcomeOf(modules, unhandled)));
    },
  };
}

function outcomeOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Outcome {
  const tests = modules.flatMap(({ children }) => [...children.allTests()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state);
  const failures = [
    ...inState('failed').map((test) => explained(nameOfTest(test), test.result().errors ?? [])),
    ...modules.flatMap(failuresAround),
    ...unhandled.map((error) => explained('outside of the tests', [error])),
  ];
  return {
    passed: inState('passed').length,
    failed: failures.length,
    skipped: inState('skipped').length + inState('pending').length,
    flaky: 0,
    slowest: tests.map((test) => ({
      name: nameOfTest(test),
      seconds: (test.diagnostic()?.duration ?? 0) / 1000,
    })),
    failures,
  };
}

function nameOfTest({ module, fullName }: TestCase): string {
  return nameOf(basename(module.moduleId), fullName.replaceAll(' > ', ' '));
}

/** Errors around the tests of a file and its groups: a file that cannot be loaded, a hook before or after. */
function failuresAround(module: TestModule): string[] {
  const file = basename(module.moduleId);
  const groups = [...module.children.allSuites()].map((group) => ({
    name: nameOf(file, group.fullName.replaceAll(' > ', ' ')),
    errors: group.errors(),
  }));
  return [{ name: file, errors: module.errors() }, ...groups]
    .filter(({ errors }) => errors.length > 0)
    .map(({ name, errors }) => explained(`${name} (around its tests)`, errors));
}

function explained(name: string, errors: readonly SerializedError[]): string {
  const reasons = errors.map((error) => cut(`${error.name ?? 'Error'}: ${error.message}`));
  return [name, ...reasons].join('\n    ');
}

/** Runs vitest, which reports to the file, and reads its outcome. */
export function countVitest(report: string, run: () => Promise<void>): Promise<Outcome> {
  return count(run, report, (text) => JSON.parse(text) as Outcome);
}

/** Runs Playwright and counts its tests from the JSON report that it writes. */
export function countPlaywright(report: string, run: () => Promise<void>): Promise<Outcome> {
  return count(run, report, (text) => {
    const { stats, suites } = JSON.parse(text) as PlaywrightReport;
    return {
      passed: stats.expected,
      failed: stats.unexpected,
      skipped: stats.skipped,
      flaky: stats.flaky,
      slowest: suites.flatMap(timesIn),
      failures: suites.flatMap(failuresIn),
    };
  });
}

function timesIn({ file, specs, suites = [] }: PlaywrightSuite): TimedTest[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ duration }) => timed(basename(file), title, duration)),
    ),
  );
  return [...own, ...suites.flatMap(timesIn)];
}

function failuresIn({ file, specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ title }) => nameOf(basename(file), title));
  return [...own, ...suites.flatMap(failuresIn)];
}

function timed(file: string, title: string, milliseconds: number): TimedTest {
  return { name: nameOf(file, title), seconds: milliseconds / 1000 };
}

/** The first line of a failure's message; of a failed property also its seed, its input and its cause. */
function cut(message: string): string {
  const [first = '', ...others] = message.split('\n');
  return [first, ...others.filter((line) => /^(?:\{ seed: |Counterexample: |Got )/.test(line))]
    .map((line) => line.slice(0, MAX_REASON_LENGTH))
    .join('\n    ');
}

function nameOf(file: string, title: string): string {
  return `${file}: ${title}`;
}

function slowestOf(times: TimedTest[]): TimedTest[] {
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
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

/** A line for each of the slowest tests, below a heading; nothing where none ran. */
export function describeSlowest({ slowest }: Outcome): string[] {
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`);
  return lines.length === 0 ? [] : ['Slowest tests:', ...lines];
}

/** A line for each failed test, below a heading; nothing where all passed. */
export function describeFailures({ failures }: Outcome): string[] {
  return failures.length === 0 ? [] : ['Failed:', ...failures.map((name) => `  ${name}`)];
}

export function add(one: Outcome, other: Outcome): Outcome {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    flaky: one.flaky + other.flaky,
    slowest: slowestOf([...one.slowest, ...other.slowest]),
    failures: [...one.failures, ...other.failures],
  };
}
