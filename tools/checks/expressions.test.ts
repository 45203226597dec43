import { expect, test } from 'vitest';
import { checkExpressions } from './expressions.ts';

const path = 'server/features/mails/rules.ts';
const check = (text: string) => checkExpressions([{ path, text }]);

test.each([
  ['seeks an end from each character', String.raw`/[\s.]+$/g`],
  ['splits one run between two repetitions', String.raw`/^a\s*"?\s*(b)/`],
  ['nests repetitions', '/^(a+)+$/'],
  ['seeks what never comes', '/<[^>]*>/'],
])('the check refuses an expression that %s', (_what, expression) => {
  const findings = check(`const one = 1;\nexport const found = text.replace(${expression}, '');\n`);
  expect(findings).toEqual([
    { path: `${path}:2`, message: expect.stringContaining('quadratic time') },
  ]);
});

test.each([String.raw`/\s+/g`, '/^a+b/', String.raw`/(?<!\s)\s+$/`, '/a{1,64}@b/'])(
  'the check accepts the linear %s',
  (expression) => {
    expect(check(`export const found = ${expression}.exec(text);\n`)).toEqual([]);
  },
);

test('the check leaves tests and tools alone', () => {
  const text = 'export const found = /a+$/.test(text);\n';
  const paths = ['server/testing/pages.ts', 'server/log.test.ts', 'tools/checks/main.ts'];
  expect(checkExpressions(paths.map((path) => ({ path, text })))).toEqual([]);
});
