/** The build's record of its chunks, keyed by source file (or `_name` for a shared chunk). */
export type Manifest = Record<
  string,
  {
    file: string;
    name?: string;
    css?: string[];
    isEntry?: boolean;
    isDynamicEntry?: boolean;
    imports?: string[];
  }
>;

/** One budget: the scripts and styles it counts, from the build's folder, and their limit in Brotli. */
export type Budget = { name: string; files: string[]; limit: string };

// Signed-out pages render without the shell.
const withoutShell = /^shell\/|\/RegisterPage\.tsx$/;
// The calendar's engine is as large as a page may be, and loads when it is opened.
const exempt = /^features\/calendar\//;

/**
 * The first page: what loads before a user can sign in, which is 150 kB with the page and the headers. Every other page: what it adds to that,
 * together with the shell around it.
 */
export function budgetsOf(manifest: Manifest): Budget[] {
  const sources = Object.keys(manifest);
  const entries = sources.filter((source) => manifest[source]?.isEntry === true);
  if (entries.length === 0) throw new Error('the build has no entry');
  const first = filesOf(manifest, entries);
  const shell = sources.filter((source) => manifest[source]?.name === 'shell');
  const pages = sources.filter((source) => source.endsWith('Page.tsx') && !exempt.test(source));
  const added = pages.map((page) => ({
    name: `${page} adds`,
    files: filesOf(manifest, withoutShell.test(page) ? [page] : [...shell, page]).filter(
      (file) => !first.includes(file),
    ),
    limit: '60 kB',
  }));
  return [{ name: 'first page', files: first, limit: '145 kB' }, ...added];
}

function filesOf(manifest: Manifest, sources: string[]): string[] {
  const seen = new Set<string>();
  const visit = (source: string): void => {
    if (seen.has(source)) return;
    seen.add(source);
    const chunk = manifest[source];
    if (chunk === undefined) throw new Error(`the build has no chunk of ${source}`);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const source of sources) visit(source);
  return [...seen]
    .flatMap((source) => [manifest[source]?.file ?? [], manifest[source]?.css ?? []].flat())
    .filter((file) => /\.(js|css)$/.test(file))
    .toSorted();
}
