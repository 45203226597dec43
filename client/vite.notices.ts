// The licenses of what the build contains, in one text file.

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1];
type Manifest = { name?: string; version?: string; license?: string };

const FILE = 'static/third-party-notices.txt';

/** Inside other packages' files, where the bundle does not name them: the reset of the style sheet, and the parts of jszip. */
const INSIDE = ['tailwindcss', 'immediate', 'lie', 'pako', 'readable-stream', 'setimmediate'];

// Also one folder down: the decoders of the PDF engine have licenses of their own.
const LICENSES = '{.,*}/{LICEN[CS]E,licen[cs]e,OFL,NOTICE,COPYING}*';

const HEAD = `Third-party notices

Matterdesk's pages contain the following packages.`;

/**
 * Lists the package of each module, font and style sheet of the build with its license.
 *
 * @throws Error for a package that names none
 */
export function thirdPartyNotices(): Plugin {
  let root = '';
  return {
    name: 'third-party-notices',
    apply: 'build',
    configResolved: (config) => void ({ root } = config),
    generateBundle(_, bundle) {
      const packages = new Map<string, string>();
      const home = path.join(path.dirname(root), 'node_modules');
      for (const folder of [
        ...INSIDE.map((name) => path.join(home, name)),
        ...foldersOf(bundle, root),
      ]) {
        const { name = '', version = '', ...manifest } = readManifest(folder);
        packages.set(`${name} ${version}`, noticeOf(`${name} ${version}`, manifest, folder));
      }
      const notices = [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const source = [HEAD, ...notices.map(([, notice]) => notice)].join(
        `\n\n${'-'.repeat(79)}\n\n`,
      );
      this.emitFile({ type: 'asset', fileName: FILE, source: `${source}\n` });
    },
  };
}

/** Folders of the packages whose files are in the build. */
function foldersOf(bundle: Bundle, root: string): Set<string> {
  const files = Object.values(bundle).flatMap((output) =>
    output.type === 'chunk' ? output.moduleIds : output.originalFileNames,
  );
  const folders = files
    .map((file) => path.resolve(root, file.replace('\0', '').split('?')[0] ?? ''))
    .map((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
    .filter((folder) => folder !== undefined);
  return new Set(folders.filter((folder) => existsSync(path.join(folder, 'package.json'))));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

function noticeOf(title: string, { license }: Manifest, folder: string): string {
  const files = globSync(LICENSES, { cwd: folder }).toSorted();
  if (license === undefined && files.length === 0) throw new Error(`${title} names no license`);
  const texts = files.map((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8').trim();
    return file.includes('/') ? `${file}:\n\n${text}` : text;
  });
  return [`${title} (${license})`, ...new Set(texts)].join('\n\n');
}
