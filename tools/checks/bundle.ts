// The test command, and the checks of structure, walls, sizes and words.

/** What the build leaves about its chunks, keyed by source file (or `_name` for a shared chunk). */
export type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[] }
>;

/** One budget: the scripts it counts, from the build's folder, and their limit gzipped. */
export type Budget = { name: string; scripts: string[]; limit: string };

const firstPage = 'features/accounts/LoginPage.tsx';
const shell = 'shell/Shell.tsx';
// Signed-out pages render without the shell.
const withoutShell = /^shell\/|\/RegisterPage\.tsx$/;
// The calendar's engine is as large as a page may be, and loads when it is opened.
const exempt = /^features\/calendar\//;

/**
 * The first page: what loads before a user can sign in. Every other page: what it adds to that,
 * together with the shell around it.
 */
export function budgetsOf(manifest: Manifest): Budget[] {
  const sources = Object.keys(manifest);
  const entries = sources.filter((source) => manifest[source]?.isEntry === true);
  const first = scriptsOf(manifest, [...entries, firstPage]);
  const pages = sources.filter(
    (source) => source.endsWith('Page.tsx') && source !== firstPage && !exempt.test(source),
  );
  const added = pages.map((page) => ({
    name: `${page} adds`,
    scripts: scriptsOf(manifest, withoutShell.test(page) ? [page] : [shell, page]).filter(
      (script) => !first.includes(script),
    ),
    limit: '60 kB',
  }));
  return [{ name: 'first page', scripts: first, limit: '150 kB' }, ...added];
}

function scriptsOf(manifest: Manifest, sources: string[]): string[] {
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
    .flatMap((source) => manifest[source]?.file ?? [])
    .filter((file) => file.endsWith('.js'))
    .toSorted();
}
