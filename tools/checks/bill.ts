// The bill of materials (CycloneDX 1.6) of what the checkout installs, from the lockfile alone: the same lockfile gives
// the same bytes.

export type Lockfile = { packages: Record<string, Locked> };
type Locked = {
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
type Package = { path: string; name: string; reference: string; locked: Locked };
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
