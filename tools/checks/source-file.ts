import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** One file of the tree: its path from the checkout's root, with `/`, and its text. */
export type SourceFile = { path: string; text: string };

/** A violation: its place, and in the message where the code belongs instead. */
export type Finding = { path: string; message: string };

/** One import or re-export; `from` is the specifier as written. */
export type Import = { from: string; isTypeOnly: boolean };

const notOurs = new Set(['node_modules', 'dist', 'docs', 'data', 'test-results']);

/** Every file of the workspaces, and every other code in the checkout, but what is installed or built. */
export function readTree(root: string): SourceFile[] {
  return globSync('*/**/*', {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => notOurs.has(entry.name),
  })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length + 1))
    .filter((path) => /^(contract|server|client|tools)\//.test(path) || isCode(path))
    .toSorted()
    .map((path) => ({ path, text: isCode(path) ? readFileSync(`${root}/${path}`, 'utf8') : '' }));
}

/** The documents that the newcomer, the administrator and the contributor read; decision records stay as they were. */
export function readDocuments(root: string): SourceFile[] {
  return globSync(['*.md', 'docs/*.md', 'docs/*/*.md'], { cwd: root })
    .filter((path) => !path.startsWith('docs/decisions/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }));
}

export function isCode(path: string): boolean {
  return /\.([cm]?[jt]s|[jt]sx)$/.test(path);
}

export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path);
}

/** Static imports, re-exports and `import('…')` calls with a literal name. */
export function importsOf(file: SourceFile): Import[] {
  const { module } = parseSync(file.path, file.text);
  const written = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: moduleRequest.value,
    isTypeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  const passedOn = module.staticExports
    .flatMap((found) => found.entries)
    .flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [{ from: moduleRequest.value, isTypeOnly: isType }],
    );
  const lazy = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const argument = file.text.slice(moduleRequest.start, moduleRequest.end);
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(argument)?.[1];
    return literal === undefined ? [] : [{ from: literal, isTypeOnly: false }];
  });
  return [...written, ...passedOn, ...lazy];
}

/** Names that a file exports, and whether it passes on the whole of another (`export * from`). */
export function exportsOf(file: SourceFile): { names: string[]; passesOnAll: boolean } {
  const entries = parseSync(file.path, file.text).module.staticExports.flatMap(
    (found) => found.entries,
  );
  return {
    names: entries.flatMap((entry) => entry.exportName.name ?? []),
    passesOnAll: entries.some(
      ({ moduleRequest, importName }) => moduleRequest !== null && importName.name === null,
    ),
  };
}
