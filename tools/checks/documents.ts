import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { billOf, type Lockfile } from './bill.ts';
import type { Finding } from './source-file.ts';

const BILL = 'docs/sbom.json';
const SECURITY = 'docs/security.md';
const LOCKFILE = 'package-lock.json';

/** Of OWASP ASVS 5. */
const CHAPTERS = 17;
const TEST_FILE = /`([^`\s]+\.(?:test|spec)\.tsx?)`/g;

/** What the documents must say; each gap would leave a firm open that followed them. */
const REQUIRED: [path: string, heading: RegExp | undefined, says: RegExp][] = [
  ['docs/configuration.md', /^## Behind TLS$/m, /`REGISTRATION`/],
  ['docs/configuration.md', /^## Behind TLS$/m, /Setup code: [2-9A-Z]{4}-[2-9A-Z]{4}/],
  ['docs/google.md', undefined, /`REGISTRATION`/],
  ['docs/twilio.md', undefined, /`REGISTRATION`/],
  ['.npmrc', undefined, /^ignore-scripts=true$/m],
];

/** Documents that name what is not there, two decisions with one number, and a bill of materials of another lockfile. */
export function checkDocuments(root: string): Finding[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted();
  return [
    // The bench writes that page and what it links to, and one may come without the other.
    ...documents
      .filter((path) => path !== 'docs/performance.md')
      .flatMap((path) => findDeadLinks(root, path, read(path))),
    ...findDeadPaths(root, SECURITY, read(SECURITY)),
    ...findUntested(root, read(SECURITY)),
    ...findLoosePackages(root),
    ...findRepeatedNumbers(documents),
    ...REQUIRED.flatMap(([path, heading, says]) => {
      const found = sectionOf(read(path), heading);
      return says.test(found) ? [] : [{ path, message: `must say ${says.source}` }];
    }),
    ...(existsSync(join(root, BILL)) && read(BILL) === billOfRoot(root)
      ? []
      : [{ path: BILL, message: 'is not of this package-lock.json: run npm run sbom' }]),
  ];
}

function billOfRoot(root: string): string {
  return billOf(JSON.parse(readFileSync(join(root, LOCKFILE), 'utf8')) as Lockfile);
}

/** From a heading to the next of its level. */
function sectionOf(text: string, heading: RegExp | undefined): string {
  if (!heading) return text;
  const [, ...rest] = text.split(heading);
  return rest.join('').split(/^## /m)[0] ?? '';
}

function findDeadLinks(root: string, path: string, text: string): Finding[] {
  return [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(path), target)))
    .map((target) => ({ path, message: `links to ${target}, which does not exist` }));
}

/** Of code and tests, from the checkout's root. */
function findDeadPaths(root: string, path: string, text: string): Finding[] {
  return [...text.matchAll(/`((?:contract|server|client|tools)\/[^`\s]+)`/g)]
    .map(([, named = '']) => named)
    .filter((named) => globSync(named, { cwd: root }).length === 0)
    .map((named) => ({ path, message: `names ${named}, which does not exist` }));
}

/** Chapters of the verification standard without a test, and rows that are met without one. */
function findUntested(root: string, text: string): Finding[] {
  const chapters = new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((chapter) => [/^V(\d+) /.exec(chapter)?.[1], chapter]),
  );
  const hasTest = (part: string) =>
    [...part.matchAll(TEST_FILE)].some(([, file = '']) => globSync(file, { cwd: root }).length > 0);
  const numbers = Array.from({ length: CHAPTERS }, (_, at) => String(at + 1));
  const missing = numbers.filter((number) => !hasTest(chapters.get(number) ?? ''));
  const rows = text.split('\n').filter((line) => /^\|.*\| met +\|/.test(line) && !hasTest(line));
  return [
    ...missing.map((number) => ({ path: SECURITY, message: `names no test in V${number}` })),
    ...rows.map((row) => ({
      path: SECURITY,
      message: `says met without a test: ${row.split('|')[1]?.trim()}`,
    })),
  ];
}

/** Packages without a hash, from an address of their own, or in a range of versions. */
function findLoosePackages(root: string): Finding[] {
  const { packages } = JSON.parse(readFileSync(join(root, LOCKFILE), 'utf8')) as Lockfile;
  return Object.entries(packages).flatMap(([place, { integrity, resolved, link, ...own }]) => {
    if (link) return [];
    if (place.includes('node_modules/'))
      return integrity?.startsWith('sha512-') && resolved === undefined
        ? []
        : [{ path: LOCKFILE, message: `has no hash alone for ${place}` }];
    const { devDependencies, dependencies, optionalDependencies } = own;
    return [devDependencies, dependencies, optionalDependencies]
      .flatMap((asked) => Object.entries(asked ?? {}))
      .filter(([, version]) => !/^\d+\.\d+\.\d+[\w.-]*$/.test(version))
      .map(([name, version]) => ({ path: LOCKFILE, message: `has a range: ${name} ${version}` }));
  });
}

function findRepeatedNumbers(documents: string[]): Finding[] {
  const decisions = documents.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
  const numberOf = (path: string) => path.slice('docs/decisions/'.length).slice(0, 4);
  return [...Map.groupBy(decisions, numberOf).values()]
    .filter((same) => same.length > 1)
    .map((same) => ({ path: same[1] ?? '', message: `has the number of ${same[0]}` }));
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '../..');
  if (process.argv.includes('--write')) writeFileSync(join(root, BILL), billOfRoot(root));
  const findings = checkDocuments(root);
  for (const { path, message } of findings) console.error(`${path}: ${message}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
