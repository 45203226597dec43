import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  add,
  countPlaywright,
  countVitest,
  describeFailures,
  describeOutcome,
  describeSlowest,
  noOutcome,
} from './outcome.ts';

const scratch = mkdtempSync(join(tmpdir(), 'matterdesk-outcome-'));
const report = join(scratch, 'report.json');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const writes = (found: unknown) => async () => writeFileSync(report, JSON.stringify(found));
const breaks = (found: unknown) => async () => {
  writeFileSync(report, JSON.stringify(found));
  throw new Error('exit code 1');
};

test('the outcome counts what vitest reports', async () => {
  const found = { numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, testResults: [] };
  expect(await countVitest(report, breaks(found))).toMatchObject({
    passed: 5,
    failed: 2,
    skipped: 1,
    flaky: 0,
  });
});

test('the outcome counts what Playwright reports, and a test that passed at the second try by itself', async () => {
  const found = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, suites: [] };
  const outcome = await countPlaywright(report, breaks(found));
  expect(outcome).toMatchObject({ passed: 5, failed: 1, skipped: 2, flaky: 1 });
  expect(describeOutcome(outcome)).toBe('5 passed, 1 failed, 1 flaky, 2 skipped');
});

test('the outcome does not take a flaky test for a failure', async () => {
  const found = { stats: { expected: 5, unexpected: 0, flaky: 1, skipped: 0 }, suites: [] };
  const outcome = await countPlaywright(report, writes(found));
  expect(outcome.failed).toBe(0);
  expect(describeOutcome(outcome)).toBe('5 passed, 0 failed, 1 flaky');
});

test('the outcome counts a runner that failed outside of any test as a failure', async () => {
  const found = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  expect(await countVitest(report, breaks(found))).toMatchObject({
    passed: 5,
    failed: 1,
    skipped: 0,
    flaky: 0,
  });
});

test('the outcome counts a runner that left no report as a failure', async () => {
  const outcome = countVitest(report, () => Promise.reject(new Error('killed')));
  expect(await outcome).toEqual({ ...noOutcome, failed: 1 });
});

test('the outcome counts a run without any test as a failure', async () => {
  const found = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  expect(await countVitest(report, writes(found))).toEqual({ ...noOutcome, failed: 1 });
});

test('the outcome names the ten slowest tests of all runners, the slowest first', async () => {
  const assertionResults = Array.from({ length: 12 }, (_, at) => ({
    fullName: `test ${at}`,
    status: 'passed',
    duration: at * 1000,
  }));
  const counts = { numPassedTests: 12, numFailedTests: 0, numPendingTests: 0 };
  const unit = { ...counts, testResults: [{ name: '/checkout/a.test.ts', assertionResults }] };
  const test = { title: 'a journey', ok: true, tests: [{ results: [{ duration: 10_500 }] }] };
  const browser = {
    stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 0 },
    suites: [{ file: 'b.spec.ts', specs: [], suites: [{ file: 'b.spec.ts', specs: [test] }] }],
  };
  const total = add(
    await countVitest(report, writes(unit)),
    await countPlaywright(report, writes(browser)),
  );
  expect(describeSlowest(total)).toEqual([
    'Slowest tests:',
    '    11.0 s  a.test.ts: test 11',
    '    10.5 s  b.spec.ts: a journey',
    '    10.0 s  a.test.ts: test 10',
    ...[9, 8, 7, 6, 5, 4, 3].map((at) => `     ${at}.0 s  a.test.ts: test ${at}`),
  ]);
  expect(describeSlowest(noOutcome)).toEqual([]);
});

test('the outcome names failed tests of all runners, and why', async () => {
  const failureMessages = [
    'Error: expected 1 to be 2\n    at a.test.ts:1:1',
    'Error: Property failed after 2 tests\n{ seed: 1, path: "1:0" }\nCounterexample: [7]\nShrunk 3 time(s)\nGot TypeError: none',
  ];
  const assertionResults = [
    { fullName: 'adds', status: 'failed', failureMessages },
    { fullName: 'removes', status: 'passed' },
  ];
  const counts = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0 };
  const unit = { ...counts, testResults: [{ name: '/checkout/a.test.ts', assertionResults }] };
  const specs = [{ title: 'a journey', ok: false, tests: [] }];
  const browser = {
    stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 },
    suites: [{ file: 'b.spec.ts', specs }],
  };
  const total = add(
    await countVitest(report, breaks(unit)),
    await countPlaywright(report, breaks(browser)),
  );
  expect(describeFailures(total)).toEqual([
    'Failed:',
    [
      '  a.test.ts: adds',
      'Error: expected 1 to be 2',
      'Error: Property failed after 2 tests',
      '{ seed: 1, path: "1:0" }',
      'Counterexample: [7]',
      'Got TypeError: none',
    ].join('\n    '),
    '  b.spec.ts: a journey',
  ]);
  expect(describeFailures(noOutcome)).toEqual([]);
});
