import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countPlaywright, countVitest } from './outcome.ts';

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
  expect(await countVitest(report, breaks(found))).toEqual({ passed: 5, failed: 2, skipped: 1 });
});

test('counts what Playwright reports, and a test that passed at the second try as failed', async () => {
  const found = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 } };
  expect(await countPlaywright(report, breaks(found))).toEqual({
    passed: 5,
    failed: 2,
    skipped: 2,
  });
});

test('counts a runner that failed outside of any test as a failure', async () => {
  const found = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0 };
  expect(await countVitest(report, breaks(found))).toEqual({ passed: 5, failed: 1, skipped: 0 });
});

test('counts a runner that left no report as a failure', async () => {
  const outcome = countVitest(report, () => Promise.reject(new Error('killed')));
  expect(await outcome).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('counts a run without any test as a failure', async () => {
  const found = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  expect(await countVitest(report, writes(found))).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
