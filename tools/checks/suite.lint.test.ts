import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const long = (count: number): string => '  work();\n'.repeat(count);

// Each file breaks the one rule that it is named with; `clean.ts` breaks none.
const planted: Record<string, { rule: string; text: string }> = {
  'server/any.ts': { rule: 'no-explicit-any', text: 'export const a: any = 1;\n' },
  'server/untyped.ts': {
    rule: 'no-unsafe-assignment',
    text: "const found = JSON.parse('1');\nexport const both = [found];\n",
  },
  'server/floating.ts': {
    rule: 'no-floating-promises',
    text: 'async function work(): Promise<void> {}\nexport function go(): void {\n  work();\n}\n',
  },
  'server/default.ts': { rule: 'no-default-export', text: 'export default 1;\n' },
  'server/one.ts': {
    rule: 'no-cycle',
    text: "import { two } from './two.ts';\nexport const one = () => two;\n",
  },
  'server/two.ts': {
    rule: 'no-cycle',
    text: "import { one } from './one.ts';\nexport const two = () => one;\n",
  },
  'server/params.ts': {
    rule: 'max-params',
    text: 'export const sum = (a: number, b: number, c: number, d: number) => a + b + c + d;\n',
  },
  'server/long.ts': {
    rule: 'max-lines',
    text: 'export const n = 1;\n'.replace('\n', '\n'.repeat(502)),
  },
  'server/long-function.ts': {
    rule: 'max-lines-per-function',
    text: `declare function work(): void;\nexport function run(): void {\n${long(60)}}\n`,
  },
  'client/Long.tsx': {
    rule: 'max-lines-per-function',
    text: `declare function work(): void;\nexport function Long(): null {\n${long(118)}  return null;\n}\n`,
  },
  'client/hooks.tsx': {
    rule: 'rules-of-hooks',
    text: "import { useState } from 'react';\nexport function Box({ on }: { on: boolean }) {\n  if (on) useState(1);\n  return null;\n}\n",
  },
  'client/picture.tsx': { rule: 'alt-text', text: 'export const picture = <img src="a.png" />;\n' },
  'server/focus.test.ts': {
    rule: 'no-focused-tests',
    text: "import { expect, test } from 'vitest';\ntest.only('adds', () => {\n  expect(1).toBe(1);\n});\n",
  },
  'server/empty.test.ts': {
    rule: 'expect-expect',
    text: "import { test } from 'vitest';\ntest('adds', () => {\n  const sum = 1 + 1;\n  void sum;\n});\n",
  },
  'server/clean.ts': {
    rule: '',
    text: `declare function work(): void;\nexport function run(): void {\n${long(58)}}\n`,
  },
};

type Report = { diagnostics: { code: string; filename: string }[] };

let place: string;
let found: Report['diagnostics'];

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'matterdesk-lint-'));
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  copyFileSync(join(root, '.oxlintrc.json'), join(place, '.oxlintrc.json'));
  copyFileSync(join(root, 'tsconfig.base.json'), join(place, 'tsconfig.base.json'));
  for (const workspace of ['server', 'client']) {
    mkdirSync(join(place, workspace));
    copyFileSync(join(root, workspace, 'tsconfig.json'), join(place, workspace, 'tsconfig.json'));
  }
  for (const [path, { text }] of Object.entries(planted)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  const run = spawnSync('oxlint', ['--type-aware', '--format', 'json', 'server', 'client'], {
    cwd: place,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH']}` },
  });
  found = (JSON.parse(run.stdout) as Report).diagnostics;
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

test.each(Object.entries(planted))(
  'the linter finds in %s exactly what is planted',
  (path, { rule }) => {
    const rules = found
      .filter(({ filename }) => filename === path)
      .map(({ code }) => code.replace(/^.*\(|\)$/g, ''));
    expect([...new Set(rules)].join()).toBe(rule);
  },
);
