// Files of an export by their path, and by what the rows of a table call them.

import { normalized } from '@matterdesk/contract/normalization.ts';
import type { SourceFile } from './row.ts';

const indexes = new WeakMap<readonly SourceFile[], Map<string, SourceFile[]>>();

function indexOf(files: readonly SourceFile[]): Map<string, SourceFile[]> {
  let index = indexes.get(files);
  if (!index) {
    index = Map.groupBy(files, ({ path }) => segmentsOf(path).at(-1) ?? '');
    indexes.set(files, index);
  }
  return index;
}

/** Without regard to case, and to the drive or the folder that the export was made in. */
function segmentsOf(path: string): string[] {
  const parts = normalized(path.slice(0, 4000)).toLowerCase().split(/[/\\]/);
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..');
}

const paths = new WeakMap<readonly SourceFile[], Map<string, SourceFile>>();

export function findFile(files: readonly SourceFile[], path: string): SourceFile | undefined {
  let byPath = paths.get(files);
  if (!byPath) {
    byPath = new Map(files.map((file) => [file.path, file]));
    paths.set(files, byPath);
  }
  return byPath.get(path);
}

/** The file whose path ends most like a name; beside the table, where several do. */
export function findNamed(
  files: readonly SourceFile[],
  tablePath: string,
  name: string,
): SourceFile | 'several' | undefined {
  const wanted = segmentsOf(name);
  const last = wanted.at(-1);
  if (last === undefined) return undefined;
  let best: SourceFile[] = [];
  let most = 0;
  for (const file of indexOf(files).get(last) ?? []) {
    const count = commonEnd(segmentsOf(file.path), wanted);
    if (count > most) [best, most] = [[], count];
    if (count === most) best.push(file);
  }
  if (best.length < 2) return best[0];
  const folder = tablePath.slice(0, tablePath.lastIndexOf('/') + 1);
  const beside = best.filter(
    ({ path }) => segmentsOf(folder + name).join('/') === segmentsOf(path).join('/'),
  );
  return beside.length === 1 ? beside[0] : 'several';
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}
