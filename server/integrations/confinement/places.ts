import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Code of the readers: their own, and the packages'. It holds no secrets. */
const CODE = [
  'node_modules',
  'server/node_modules',
  'server/package.json',
  'server/integrations/confinement',
  'server/integrations/documents',
  'server/integrations/mime',
];

/** Needed by canvas and not by Node. */
const MORE_LIBRARIES = ['librt.so.1'];

/** Files and directories that a confined script may read: its own code, Node and the system's libraries. */
export type Places = { code: string[]; system: string[] };

export function placesOf(script: string): Places {
  const installed = CODE.map((place) => path.join(ROOT, place)).filter((place) =>
    existsSync(place),
  );
  const code = [script, process.execPath].filter((file) => !isWithin(installed, file));
  return { code: [...installed, ...code], system: libraries() };
}

function isWithin(places: string[], file: string): boolean {
  return places.some((place) => file.startsWith(`${place}/`));
}

let found: string[] | undefined;

/** Shared libraries of this process, which runs the same Node. */
function libraries(): string[] {
  if (found) return found;
  // The types lack it; with the network the report would look up names.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  const loaded = sharedObjects.filter((file) => file.startsWith('/') && !file.endsWith('.node'));
  const folders = new Set(loaded.map((file) => path.dirname(file)));
  const more = [...folders].flatMap((folder) =>
    MORE_LIBRARIES.map((name) => path.join(folder, name)),
  );
  found = [...new Set([...loaded, ...more])].filter((file) => existsSync(file));
  return found;
}

export function isDirectory(place: string): boolean {
  return statSync(place).isDirectory();
}
