import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checks/run.ts';

/**
 * Copies a file of docs/scaling, so that what the document shows is what runs here: only addresses, ports, paths and
 * passwords are others.
 * @param replaced by what; each must be in the file
 * @returns the path of the copy
 */
export function copySettings(
  name: string,
  home: string,
  replaced: readonly (readonly [string, string])[],
): string {
  let text = readFileSync(join(root, 'docs/scaling', name), 'utf8');
  for (const [documented, here] of replaced) {
    if (!text.includes(documented)) throw new Error(`docs/scaling/${name} lacks ${documented}`);
    text = text.replaceAll(documented, here);
  }
  const path = join(home, name);
  writeFileSync(path, text, { mode: 0o644 });
  return path;
}
