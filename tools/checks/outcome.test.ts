import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  add,
  countPlaywright,
  countVitest,
  describeFailures,
  describeOutcome,
  describeSlowest,
  noOutcome,
  REPORT,
  type Outcome,
} from './outcome.ts';

const scratch = mkdtempSync(join(tmpdir(), 'matterdesk-outcome-'));
const report = join(scratch, 'report.json');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const writes = (found: unknown) => async () => writeFileSync(report, JSON.stringify(found));
const breaks = (found: unknown) => async () => {
  writeFileSync(report, JSON.stringify(found));
  throw new Error('exit code 1');
};

test('the outcome has what vitest counts, and names what fails in a test, around it and outside', async () => {
  const root = resolve(import.meta.dirname, '../..');
  const place = join(scratch, 'planted');
  mkdirSync(place);
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  const planted = {
    'vitest.config.ts': `
      import { outcomeReporter } from '${root}/tools/checks/outcome.ts';
      export default { test: { reporters: [outcomeReporter(process.env.${REPORT})] } };`,
    'tests.test.ts': `
      import { expect, test } from 'vitest';
      test('adds', () => expect(2).toBe(2));
      test('removes', () => expect(1, 'a sum').toBe(2));
      test.skip('divides', () => {});
      test('holds', () => {
        throw new Error('Property failed\\n{ seed: 1, path: "1:0" }\\nCounterexample: [7]\\nShrunk 3 time(s)\\nGot TypeError: none');
      });`,
    'hooks.test.ts': `
      import { beforeAll, describe, test } from 'vitest';
      describe('a group', () => {
        beforeAll(() => { throw new Error('no database'); });
        test('is not run', () => {});
      });`,
    'broken.test.ts': `throw new TypeError('not a module');`,
    'late.test.ts': `
      import { test } from 'vitest';
      test('passes', () => void Promise.reject(new Error('unheeded')));`,
  };
  for (const [name, text] of Object.entries(planted)) writeFileSync(join(place, name), text);
  const PATH = `${root}/node_modules/.bin:${process.env['PATH']}`;
  const env = { ...process.env, PATH, [REPORT]: report };
  const outcome = await countVitest(report, async () => {
    const { status } = spawnSync('vitest', ['run'], { cwd: place, env });
    if (status !== 0) throw new Error('exit code 1');
  });
  expect(outcome).toMatchObject({ passed: 2, failed: 5, skipped: 2, flaky: 0 });
  expect(outcome.failures.toSorted()).toEqual([
    'broken.test.ts (around its tests)\n    TypeError: not a module',
    'hooks.test.ts: a group (around its tests)\n    Error: no database',
    'outside of the tests\n    Error: unheeded',
    'tests.test.ts: holds\n    Error: Property failed\n    { seed: 1, path: "1:0" }\n    Counterexample: [7]\n    Got TypeError: none',
    'tests.test.ts: removes\n    AssertionError: a sum: expected 1 to be 2 // Object.is equality',
  ]);
  expect(outcome.slowest.map(({ name }) => name)).toContain('tests.test.ts: adds');
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

test('the outcome counts a runner that failed without a word as a failure', async () => {
  const found = { ...noOutcome, passed: 5 };
  expect(await countVitest(report, breaks(found))).toEqual({ ...found, failed: 1 });
});

test('the outcome counts a runner that left no report as a failure', async () => {
  const outcome = countVitest(report, () => Promise.reject(new Error('killed')));
  expect(await outcome).toEqual({ ...noOutcome, failed: 1 });
});

test('the outcome counts a run without any test as a failure', async () => {
  expect(await countVitest(report, writes(noOutcome))).toEqual({ ...noOutcome, failed: 1 });
});

test('the outcome names the ten slowest tests of all runners, the slowest first', async () => {
  const slowest = Array.from({ length: 12 }, (_, at) => ({
    name: `a.test.ts: test ${at}`,
    seconds: at,
  }));
  const unit: Outcome = { ...noOutcome, passed: 12, slowest };
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
  const failures = ['a.test.ts: adds\n    Error: expected 1 to be 2'];
  const unit: Outcome = { ...noOutcome, passed: 1, failed: 1, failures };
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
    '  a.test.ts: adds\n    Error: expected 1 to be 2',
    '  b.spec.ts: a journey',
  ]);
  expect(describeFailures(noOutcome)).toEqual([]);
});
