import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countPlaywright, countVitest, describeOutcome, noOutcome } from './outcome.ts';

const scratch = mkdtempSync(join(tmpdir(), 'matterdesk-outcome-'));
const report = join(scratch, 'report.json');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const writes = (found: unknown) => async () => writeFileSync(report, JSON.stringify(found));
const breaks = (found: unknown) => async () => {
  writeFileSync(report, JSON.stringify(found));
  throw new Error('exit code 1');
};

test('counts what vitest reports', async () => {
  const found = { numPassedTests: 5, numFailedTests: 2, numPendingTests: 1 };
  expect(await countVitest(report, breaks(found))).toEqual({
    passed: 5,
    failed: 2,
    skipped: 1,
    flaky: 0,
  });
});

test('counts what Playwright reports, and a test that passed at the second try by itself', async () => {
  const found = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 } };
  const outcome = await countPlaywright(report, breaks(found));
  expect(outcome).toEqual({ passed: 5, failed: 1, skipped: 2, flaky: 1 });
  expect(describeOutcome(outcome)).toBe('5 passed, 1 failed, 1 flaky, 2 skipped');
});

test('does not take a flaky test for a failure', async () => {
  const found = { stats: { expected: 5, unexpected: 0, flaky: 1, skipped: 0 } };
  const outcome = await countPlaywright(report, writes(found));
  expect(outcome.failed).toBe(0);
  expect(describeOutcome(outcome)).toBe('5 passed, 0 failed, 1 flaky');
});

test('counts a runner that failed outside of any test as a failure', async () => {
  const found = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0 };
  expect(await countVitest(report, breaks(found))).toEqual({
    passed: 5,
    failed: 1,
    skipped: 0,
    flaky: 0,
  });
});

test('counts a runner that left no report as a failure', async () => {
  const outcome = countVitest(report, () => Promise.reject(new Error('killed')));
  expect(await outcome).toEqual({ ...noOutcome, failed: 1 });
});

test('counts a run without any test as a failure', async () => {
  const found = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  expect(await countVitest(report, writes(found))).toEqual({ ...noOutcome, failed: 1 });
});
