// Runs programs that read strangers' bytes, without secrets, network, files or other processes.

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inNamespaces } from './namespaces.ts';
import { isDirectory, placesOf, type Places } from './places.ts';

/** How a reader is confined, the strongest first. Node's permissions hold at every level. */
export const LEVELS = ['bubblewrap', 'namespaces', 'user', 'permissions only'] as const;
export type Level = (typeof LEVELS)[number];

export type Program = {
  /** Absolute path of the file that Node runs. */
  script: string;
  /** MiB of JavaScript objects. */
  heap: number;
};

/** Arguments of a process; its environment is empty. */
export type Command = { file: string; args: string[] };

/** The command that runs a program at a level, whether or not this machine has it. */
export function commandAt(level: Level, program: Program): Command {
  const places = placesOf(program.script);
  const node = [process.execPath, ...flagsOf(program, places), program.script];
  const [file = '', ...args] = wrap(level, places, node);
  return { file, args };
}

function wrap(level: Level, places: Places, node: string[]): string[] {
  switch (level) {
    case 'bubblewrap':
      return [...bubblewrap(places), ...node];
    case 'namespaces':
      return inNamespaces([...places.system, ...places.code], node);
    case 'user':
      return [...endWithParent, ...asStranger(), '--', ...WITHOUT_FILES, ...node];
    case 'permissions only':
      return [...endWithParent, '--', ...WITHOUT_FILES, ...node];
  }
}

/** A parent that is killed cannot end its readers. */
const endWithParent = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs'];
/** Bytes that may be written to files, and of a core dump, where directories are writable. */
const WITHOUT_FILES = ['prlimit', '--fsize=0', '--core=0', '--'];

const BUBBLEWRAP = `bwrap --unshare-all --unshare-user --die-with-parent --new-session
  --cap-drop ALL --as-pid-1 --uid 1000 --gid 1000`.split(/\s+/);

function bubblewrap({ code, system }: Places): string[] {
  const binds = [...system, ...code].flatMap((place) => ['--ro-bind', place, place]);
  return [...BUBBLEWRAP, ...binds, '--remount-ro', '/', '--chdir', '/', '--'];
}

/** Ids that no account has, as systemd gives to services; each process has another. */
const FIRST_ID = 61_184;
const LAST_ID = 65_519;

function asStranger(): string[] {
  const taken = new Set(readFileSync('/etc/passwd', 'utf8').match(/(?<=:)\d+(?=:)/g));
  let id = randomInt(FIRST_ID, LAST_ID);
  while (taken.has(String(id))) id = randomInt(FIRST_ID, LAST_ID);
  const user = [`--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
  return [...user, '--bounding-set=-all', '--inh-caps=-all'];
}

/** Node's own permissions: reads code alone, writes nothing, starts neither programs nor threads. Canvas is an addon. */
function flagsOf({ heap }: Program, { code }: Places): string[] {
  const readable = code.map((place) => (isDirectory(place) ? `${place}/` : place));
  return [
    `--max-old-space-size=${heap}`,
    '--no-warnings',
    '--permission',
    '--allow-addons',
    ...readable.map((place) => `--allow-fs-read=${place}`),
  ];
}
