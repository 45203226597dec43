import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Finding } from './source-file.ts';

const BILL = 'docs/sbom.json';
const SECURITY = 'docs/security.md';
const ARCHITECTURE = 'ARCHITECTURE.md';
const DECISIONS = 'docs/decisions/';
/** More than that, and no one knows them all. */
const MAX_DECISIONS = 35;
const LOCKFILE = 'package-lock.json';

/** Chapters of OWASP ASVS 5. */
const CHAPTERS = 17;
const TEST_FILE = /`([^`\s]+\.(?:test|spec)\.tsx?)`/g;

/** Required statements; each gap would leave a firm exposed that followed the documents. */
const REQUIRED: [path: string, heading: RegExp | undefined, says: RegExp][] = [
  ['docs/configuration.md', /^## Behind TLS$/m, /`REGISTRATION`/],
  ['docs/configuration.md', /^## Behind TLS$/m, /Setup code: [2-9A-Z]{4}-[2-9A-Z]{4}/],
  ['docs/google.md', undefined, /`REGISTRATION`/],
  ['docs/twilio.md', undefined, /`REGISTRATION`/],
  ['.npmrc', undefined, /^ignore-scripts=true$/m],
];

/**
 * Documents that name what does not exist, an ARCHITECTURE that differs from the tree, decisions out of order, and a bill
 * of materials of another lockfile.
 */
export function checkDocuments(root: string): Finding[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted();
  return [
    // The bench writes that page and what it links to, and one may come without the other.
    ...documents
      .filter((path) => path !== 'docs/performance.md')
      .flatMap((path) => findDeadLinks(root, path, read(path))),
    ...[SECURITY, ARCHITECTURE, 'CONTRIBUTING.md']
      .filter((path) => existsSync(join(root, path)))
      .flatMap((path) => findDeadPaths(root, path, read(path))),
    ...(existsSync(join(root, ARCHITECTURE)) ? findUntrue(root, read(ARCHITECTURE)) : []),
    ...findOvertaken(documents, read),
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

/** Paths of code and tests, from the checkout's root. */
function findDeadPaths(root: string, path: string, text: string): Finding[] {
  return [...text.matchAll(/`((?:contract|server|client|tools)\/[^`\s<…]+)`/g)]
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

const isDecision = (path: string) => path.startsWith(DECISIONS) && /\/\d{4}-/.test(path);

function findRepeatedNumbers(documents: string[]): Finding[] {
  const decisions = documents.filter(isDecision);
  const numberOf = (path: string) => path.slice(DECISIONS.length).slice(0, 4);
  return [...Map.groupBy(decisions, numberOf).values()]
    .filter((same) => same.length > 1)
    .map((same) => ({ path: same[1] ?? '', message: `has the number of ${same[0]}` }));
}

/** Decisions in force beyond the limit, and overtaken ones whose successor is overtaken, too. */
function findOvertaken(documents: string[], read: (path: string) => string): Finding[] {
  const successors = new Map(
    documents
      .filter(isDecision)
      .map((path) => [path, /^\*\*Overtaken\*\* by .*?\]\(([^)]+)\)/m.exec(read(path))?.[1]]),
  );
  const inForce = [...successors].filter(([, successor]) => successor === undefined);
  const tooMany = `holds ${inForce.length} decisions in force: at most ${MAX_DECISIONS}, so merge some, or mark what was overtaken`;
  return [
    ...(inForce.length > MAX_DECISIONS ? [{ path: DECISIONS, message: tooMany }] : []),
    ...[...successors]
      .filter(([, successor = '']) => successors.get(DECISIONS + successor))
      .map(([path, successor]) => ({
        path,
        message: `is overtaken by ${successor}, which is overtaken`,
      })),
  ];
}

/** The first block of the page lists folders, indented below their parent; an arrow of its drawings is an import. */
function findUntrue(root: string, page: string): Finding[] {
  const tree = readTree(/^```\n([^]*?)^```/m.exec(page)?.[1] ?? '');
  const paths = new Map(
    [...page.matchAll(/(\w+)\["([^"]+)"\]/g)].map(([, id, path]) => [id, path]),
  );
  const chains = [...page.matchAll(/^ *(\S+(?: --> \S+)+)$/gm)].map(([, chain = '']) =>
    chain.split(' --> ').map((node) => node.split('[')[0] ?? ''),
  );
  const arrows = chains
    .flatMap((chain) => chain.slice(1).map((to, at) => [chain[at] ?? '', to]))
    .map((arrow) => arrow.map((id) => paths.get(id) ?? id));
  const messages = [
    ...compareTree(root, tree),
    ...arrows
      .filter(([from = '', to = '']) => !imports(root, from, to))
      .map((arrow) => `draws an arrow that no import takes: ${arrow.join(' --> ')}`),
  ];
  return messages.map((message) => ({ path: ARCHITECTURE, message }));
}

/** Folders by their parent, `''` for the root. */
function readTree(block: string): Map<string, string[]> {
  const tree = new Map<string, string[]>();
  const above: string[] = [];
  for (const line of block.split('\n')) {
    const [, indent = '', names = ''] = /^( *)((?:[\w-]+\/ *)+)/.exec(line) ?? [];
    const depth = indent.length / 2;
    const parent = above.slice(0, depth).join('');
    for (const name of names.match(/[\w-]+\//g) ?? []) {
      tree.set(parent, [...(tree.get(parent) ?? []), name]);
      above[depth] = name;
    }
  }
  return tree;
}

const NO_SOURCES = ['node_modules/', 'dist/', 'test-results/'];

function compareTree(root: string, tree: Map<string, string[]>): string[] {
  return [...tree].flatMap(([parent, listed]) => {
    const found = globSync('*/', { cwd: join(root, parent) })
      .map((name) => `${name.replace(/\/$/, '')}/`)
      .filter((name) => !NO_SOURCES.includes(name) && !(parent === '' && name === 'data/'));
    return [
      ...listed
        .filter((name) => !found.includes(name))
        .map((name) => `lists ${parent}${name}, which does not exist`),
      ...found
        .filter((name) => !listed.includes(name))
        .map((name) => `does not list ${parent}${name}`),
    ];
  });
}

/** Whether a file below a path, or whose path begins so, imports something below another. */
function imports(root: string, from: string, to: string): boolean {
  const files = globSync([`${from}*.ts`, `${from}/**/*.{ts,tsx}`], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  return files.some((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].some(
      ([, target = '']) => {
        const path = target.startsWith('.')
          ? join(dirname(file), target)
          : target.replace('@matterdesk/', '');
        return path.startsWith(`${to}/`) || path.startsWith(`${to}.`);
      },
    ),
  );
}

// The bill of materials (CycloneDX 1.6) of what the checkout installs, from the lockfile alone: the same lockfile gives
// the same bytes.

type Lockfile = { packages: Record<string, LockedPackage> };
type LockedPackage = {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
type Package = { path: string; name: string; reference: string; locked: LockedPackage };
/** Which packages each package loads. */
type Graph = Map<Package, Package[]>;

/** Workspaces that a running server loads. */
const SHIPPED = new Set(['contract', 'server', 'client']);

/** Packages that only tests and checks load have the scope `excluded`. */
export function billOf({ packages }: Lockfile): string {
  const all = readPackages(packages);
  const graph = connect(packages, all);
  const shipped = reachable(all, graph);
  const references = [...new Set(all.map(({ reference }) => reference))].toSorted();
  const installed = references.map((reference) => all.filter((one) => one.reference === reference));
  const dependencies = installed.map((same) => ({
    ref: same[0]?.reference,
    dependsOn: [
      ...new Set(same.flatMap((one) => graph.get(one) ?? []).map(({ reference }) => reference)),
    ].toSorted(),
  }));
  const scopeOf = (same: Package[]) =>
    same.some((one) => shipped.has(one)) ? 'required' : 'excluded';
  const [checkout, ...components] = installed
    .toSorted((a, b) => Number(b[0]?.path === '') - Number(a[0]?.path === ''))
    .map((same) => describe(same[0], scopeOf(same)));
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 };
  const bill = { ...head, metadata: { component: checkout }, components, dependencies };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

function readPackages(packages: Lockfile['packages']): Package[] {
  return Object.entries(packages)
    .filter(([, { link }]) => !link)
    .map(([path, locked]) => {
      const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 13);
      const reference = `pkg:npm/${name.replace('@', '%40')}@${locked.version}`;
      return { path, name, reference, locked };
    });
}

/** As Node resolves them: from the nearest `node_modules` on the way up. */
function connect(packages: Lockfile['packages'], all: Package[]): Graph {
  const byPath = new Map(all.map((one) => [one.path, one]));
  const resolve = (from: string, name: string) => {
    const places = placesAbove(from).map((place) => `${place}node_modules/${name}`);
    const place = places.find((candidate) => candidate in packages) ?? '';
    const { link, resolved = '' } = packages[place] ?? {};
    return byPath.get(link ? resolved : place);
  };
  return new Map(
    all.map((one) => {
      const { dependencies, optionalDependencies } = one.locked;
      const names = Object.keys({ ...dependencies, ...optionalDependencies });
      const found = names.map((name) => resolve(one.path, name));
      return [one, found.filter((other) => other !== undefined && other.path !== '')];
    }),
  ) as Graph;
}

/** `a/node_modules/b` gives `a/node_modules/b/`, `a/` and the checkout itself. */
function placesAbove(path: string): string[] {
  if (path === '') return [''];
  const end = path.lastIndexOf('node_modules/');
  return [`${path}/`, ...placesAbove(end > 0 ? path.slice(0, end - 1) : '')];
}

function reachable(all: Package[], graph: Graph): Set<Package> {
  const found = new Set(all.filter(({ path }) => path === '' || SHIPPED.has(path)));
  for (const one of found) for (const next of graph.get(one) ?? []) found.add(next);
  return found;
}

function describe(one: Package | undefined, scope: string) {
  if (!one) return undefined;
  const { name, path, reference, locked } = one;
  const { version, license, integrity } = locked;
  return {
    type: path === '' ? 'application' : 'library',
    'bom-ref': reference,
    ...(name.startsWith('@') && { group: name.split('/')[0] }),
    name: name.split('/').at(-1),
    version,
    scope,
    ...(integrity && { hashes: [hashOf(integrity)] }),
    ...(license && { licenses: [licenseOf(license)] }),
    purl: reference,
  };
}

/** From `sha512-` and base64. */
function hashOf(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split('-');
  const content = Buffer.from(digest, 'base64').toString('hex');
  return { alg: `SHA-${algorithm.slice(3)}`, content };
}

function licenseOf(license: string) {
  if (/ (?:OR|AND) /.test(license)) return { expression: license.replace(/^\((.*)\)$/, '$1') };
  return license === 'BSD' ? { license: { name: license } } : { license: { id: license } };
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '../..');
  if (process.argv.includes('--write')) writeFileSync(join(root, BILL), billOfRoot(root));
  const findings = checkDocuments(root);
  for (const { path, message } of findings) console.error(`${path}: ${message}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
