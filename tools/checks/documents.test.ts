import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { billOf, checkDocuments } from './documents.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'matterdesk-documents-'));
});
afterAll(() => rmSync(root, { recursive: true }));

test('the check finds what the documents name and what does not exist, and what they must say', () => {
  const names = ['docs/configuration.md', 'package-lock.json', 'docs/google.md', 'docs/twilio.md'];
  for (const name of names) cpSync(join(CHECKOUT, name), join(root, name), { recursive: true });
  const security = 'See `server/none.ts`, [a page](none.md) and [another](https://none.example).';
  writeFileSync(join(root, 'docs/security.md'), security);
  writeFileSync(join(root, 'docs/google.md'), 'Nothing about accounts.');
  writeFileSync(join(root, '.npmrc'), 'ignore-scripts=false');
  for (const name of ['0001-one.md', '0001-other.md'])
    cpSync(join(CHECKOUT, 'LICENSE'), join(root, 'docs/decisions', name));
  const found = checkDocuments(root).map(({ path, message }) => `${path}: ${message}`);
  expect(found).toEqual(
    expect.arrayContaining([
      'docs/security.md: links to none.md, which does not exist',
      'docs/security.md: names server/none.ts, which does not exist',
      'docs/decisions/0001-other.md: has the number of docs/decisions/0001-one.md',
      'docs/google.md: must say `REGISTRATION`',
      '.npmrc: must say ^ignore-scripts=true$',
      'docs/sbom.json: is not of this package-lock.json: run npm run sbom',
    ]),
  );
  expect(found.join('\n')).not.toMatch(/none\.example|twilio\.md: must|configuration\.md: must/);
});

test('the check finds chapters of security without a test, and what is met by none', () => {
  for (const name of ['README.md', 'package-lock.json', 'docs'])
    cpSync(join(CHECKOUT, name), join(root, name), { recursive: true });
  const row = (state: string, seenIn: string) => `| Something | ${state} | ${seenIn} |`;
  const chapters = Array.from(
    { length: 15 },
    (_, at) => `### V${at + 2} Name\n\n${row('met', '`README.md`, `a.test.ts`')}`,
  );
  writeFileSync(join(root, 'a.test.ts'), '');
  const text = ['### V1 Name', row('met', 'the code'), row('unmet', 'nothing'), ...chapters];
  writeFileSync(join(root, 'docs/security.md'), text.join('\n'));
  const found = checkDocuments(root).map(({ message }) => message);
  expect(found.filter((message) => /names no test|says met/.test(message))).toEqual([
    'names no test in V1',
    'names no test in V17',
    'says met without a test: Something',
  ]);
});

test('the check finds folders that ARCHITECTURE misses or invents, and arrows that no import takes', () => {
  const place = mkdtempSync(join(root, 'tree-'));
  for (const name of ['docs', 'package-lock.json', '.npmrc'])
    cpSync(join(CHECKOUT, name), join(place, name), { recursive: true });
  for (const folder of ['server/db', 'server/http', 'server/node_modules', 'tools'])
    mkdirSync(join(place, folder), { recursive: true });
  writeFileSync(join(place, 'server/http/bind.ts'), "import { z } from '../db/schema.ts';");
  const tree = ['```', 'server/   serves', '  db/ jobs/  SQL', 'docs/', '```'];
  const arrows = ['  http["server/http"] --> db["server/db"]', '  db --> http'];
  const page = [...tree, '```mermaid', ...arrows, '```', 'See `server/none.ts`.'];
  writeFileSync(join(place, 'ARCHITECTURE.md'), page.join('\n'));
  const found = checkDocuments(place).filter(({ path }) => path === 'ARCHITECTURE.md');
  expect(found.map(({ message }) => message).toSorted()).toEqual([
    'does not list server/http/',
    'does not list tools/',
    'draws an arrow that no import takes: server/db --> server/http',
    'lists server/jobs/, which does not exist',
    'names server/none.ts, which does not exist',
  ]);
});

test('the check finds more decisions in force than anyone knows, and a successor that is overtaken', () => {
  const place = mkdtempSync(join(root, 'decisions-'));
  for (const name of ['docs', 'package-lock.json', '.npmrc'])
    cpSync(join(CHECKOUT, name), join(place, name), { recursive: true });
  const decisions = join(place, 'docs/decisions');
  for (let number = 9900; number < 9936; number += 1)
    writeFileSync(join(decisions, `${number}-planted.md`), `# ${number}. Planted\n`);
  const overtaken = (by: string) => `# A choice\n\n**Overtaken** by [it](${by}).\n`;
  writeFileSync(join(decisions, '9901-planted.md'), overtaken('9902-planted.md'));
  writeFileSync(join(decisions, '9902-planted.md'), overtaken('9903-planted.md'));
  const found = checkDocuments(place).filter(({ path }) => path.startsWith('docs/decisions/'));
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^holds \d\d decisions in force: at most 35/),
    'is overtaken by 9902-planted.md, which is overtaken',
  ]);
});

test.each([
  ['node_modules/zod', { integrity: undefined }, 'has no hash alone for node_modules/zod'],
  ['node_modules/zod', { resolved: 'https://a.example/zod.tgz' }, 'has no hash alone for'],
  ['node_modules/zod', { integrity: 'sha1-x' }, 'has no hash alone for'],
  ['client', { dependencies: { zod: '^4.0.0' } }, 'has a range: zod ^4.0.0'],
  ['server', { devDependencies: { zod: 'latest' } }, 'has a range: zod latest'],
])('the check finds in the lockfile, for %s with %j, that it %s', (place, own, says) => {
  for (const name of ['README.md', 'docs', '.npmrc'])
    cpSync(join(CHECKOUT, name), join(root, name), { recursive: true });
  const lockfile = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  const packages = { ...lockfile.packages, [place]: { ...lockfile.packages[place], ...own } };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  const found = checkDocuments(root).map(({ message }) => message);
  expect(found).toContainEqual(expect.stringContaining(says));
});

test('the check lists each package once, with its hash, its license, and what loads it', () => {
  const bill = JSON.parse(
    billOf({
      packages: {
        '': { name: 'desk', version: '1.0.0', license: 'MIT' },
        server: { name: '@desk/server', version: '1.0.0', dependencies: { a: '1' } },
        tools: { name: '@desk/tools', version: '1.0.0', dependencies: { '@s/b': '2' } },
        'node_modules/@desk/server': { resolved: 'server', link: true },
        'node_modules/a': { version: '1.2.3', integrity: 'sha512-AAEC', license: 'ISC' },
        'node_modules/@s/b': { version: '3.0.0', dependencies: { a: '1' }, license: '(A OR B)' },
        'node_modules/@s/b/node_modules/a': { version: '1.0.0' },
      },
    }),
  ) as { components: object[]; dependencies: object[] };
  const a = { name: 'a', version: '1.2.3', scope: 'required', purl: 'pkg:npm/a@1.2.3' };
  expect(bill.components).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...a,
        hashes: [{ alg: 'SHA-512', content: '000102' }],
        licenses: [{ license: { id: 'ISC' } }],
      }),
      expect.objectContaining({ name: 'a', version: '1.0.0', scope: 'excluded' }),
      expect.objectContaining({ group: '@s', licenses: [{ expression: 'A OR B' }] }),
    ]),
  );
  expect(bill.dependencies).toContainEqual({
    ref: 'pkg:npm/%40s/b@3.0.0',
    dependsOn: ['pkg:npm/a@1.0.0'],
  });
  expect(bill.dependencies).toContainEqual({
    ref: 'pkg:npm/%40desk/server@1.0.0',
    dependsOn: ['pkg:npm/a@1.2.3'],
  });
});
