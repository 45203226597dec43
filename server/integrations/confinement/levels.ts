// Runs programs that read strangers' bytes, without secrets, network, files or other processes.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** Ways to confine a reader, strongest first. Node's permissions hold at every level. */
export const LEVELS = ['bubblewrap', 'namespaces', 'user', 'permissions only'] as const;
export type Level = (typeof LEVELS)[number];

export type Program = {
  /** Absolute path of the file that Node runs. */
  script: string;
  /** MiB of JavaScript objects. */
  heap: number;
};

/** An installed program, which Node's permissions do not bind. */
export type NativeProgram = {
  /** Absolute path. */
  file: string;
  args: string[];
  /** Files that it reads: itself, its libraries and its data. */
  files: string[];
  variables: Record<string, string>;
  /** Bytes of address space, and seconds of the processor. */
  limits: { memory: number; seconds: number };
};

/** Arguments of a process; its environment is empty. */
type Command = { file: string; args: string[] };

/** The command that runs a program at a level, whether or not this machine has it. */
export function commandAt(level: Level, program: Program): Command {
  const places = placesOf(program.script);
  const node = [process.execPath, ...flagsOf(program, places), program.script];
  const [file = '', ...args] = wrap(level, places, node);
  return { file, args };
}

/**
 * The command that runs an installed program at a level; undefined at the one that confines by Node's permissions alone.
 * Its priority is that of the readers, below requests of users.
 */
export function nativeCommandAt(level: Level, program: NativeProgram): Command | undefined {
  const { memory, seconds } = program.limits;
  const bounds = [`--as=${memory}`, `--cpu=${seconds}`, '--core=0', '--'];
  const confined = wrapNative(level, program);
  return confined && { file: 'nice', args: ['-n', '10', 'prlimit', ...bounds, ...confined] };
}

function wrapNative(
  level: Level,
  { file, args, files, variables }: NativeProgram,
): string[] | undefined {
  const command = [file, ...args];
  switch (level) {
    case 'bubblewrap':
      return [...bubblewrap({ system: files, code: [] }), ...command];
    case 'namespaces':
      return inNamespaces(files, command, variables);
    case 'user':
      return [...endWithParent, ...asStranger(), '--', ...WITHOUT_FILES, ...command];
    case 'permissions only':
      return undefined;
  }
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

/** An existing directory that holds nothing we need: the new root is mounted over it. */
const NEW_ROOT = '/sys';
const READ_ONLY = 'bind,ro,nosuid,nodev';

const OUTSIDE = wordsOf(`setpriv --pdeathsig KILL --no-new-privs --
  unshare --user --map-root-user --mount --pid --net --ipc --uts --cgroup --fork --kill-child --`);
const INSIDE = wordsOf(
  `unshare --user --map-user=1000 --map-group=1000 --root=${NEW_ROOT} --wd=/ --`,
);

/**
 * The command in namespaces of its own, for machines without bubblewrap: no network, no other process, and a root that
 * holds the places alone, read-only. A second user namespace drops the right to change any of it.
 */
function inNamespaces(
  places: string[],
  command: string[],
  variables: Record<string, string> = {},
): string[] {
  const script = `${scriptFor(places)}\nexec "$0" "$@"`;
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return [...OUTSIDE, '/bin/sh', '-ec', script, 'env', '-i', ...environment, ...INSIDE, ...command];
}

function scriptFor(places: string[]): string {
  const directories = places.filter((place) => isDirectory(place));
  const files = places.filter((place) => !isDirectory(place));
  const folders = new Set([...directories, ...files.map((file) => path.dirname(file))]);
  const table = `${NEW_ROOT}/.places`;
  const lines = places.map(
    (place) => `${escape(place)} ${escape(NEW_ROOT + place)} none ${READ_ONLY} 0 0`,
  );
  return [
    'umask 022',
    `mount -t tmpfs -o mode=755,size=1m,nosuid,nodev none ${NEW_ROOT}`,
    `mkdir -p ${[...folders].map((folder) => quote(NEW_ROOT + folder)).join(' ')}`,
    `for file in ${files.map((file) => quote(NEW_ROOT + file)).join(' ')}; do : > "$file"; done`,
    `printf '%s\\n' ${lines.map(quote).join(' ')} > ${table}`,
    // All at once: a process for each mount would cost more than the reader's start.
    `mount -a -T ${table}`,
    `mount -o remount,${READ_ONLY} ${NEW_ROOT}`,
  ].join('\n');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** As fstab(5) writes white space. */
function escape(place: string): string {
  return place.replaceAll(
    /[\s\\]/g,
    (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

function wordsOf(line: string): string[] {
  return line.split(/\s+/);
}

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Code of the readers: their own, and the packages'. It holds no secrets. */
const CODE = [
  'node_modules',
  'server/node_modules',
  'server/package.json',
  'server/integrations/confinement',
  'server/integrations/documents',
  'server/integrations/mime',
  'server/integrations/templates',
];

/** Needed by canvas and not by Node. */
const MORE_LIBRARIES = ['librt.so.1'];

/** Files and directories that a confined script may read: its own code, Node and the system's libraries. */
type Places = { code: string[]; system: string[] };

function placesOf(script: string): Places {
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

function isDirectory(place: string): boolean {
  return statSync(place).isDirectory();
}

/** Milliseconds for a trial; a busy machine takes seconds. */
const TRIAL_TIMEOUT_MS = 60_000;
const trial: Program = { script: path.join(import.meta.dirname, 'trial.ts'), heap: 100 };

let chosen: Promise<Level> | undefined;

/**
 * The strongest level that works on this machine, found by trying.
 * @throws when Node does not even start with permissions of its own
 */
export function findLevel(): Promise<Level> {
  return (chosen ??= choose());
}

async function choose(): Promise<Level> {
  for (const level of LEVELS) if (await canConfine(level)) return level;
  throw new Error('Documents and mails cannot be read here: setpriv and prlimit are missing');
}

/** Whether a program that loads native code runs at this level. */
export function canConfine(level: Level): Promise<boolean> {
  if (level === 'user' && process.getuid?.() !== 0) return Promise.resolve(false);
  const { file, args } = commandAt(level, trial);
  const child = spawn(file, args, { env: {}, stdio: 'ignore', timeout: TRIAL_TIMEOUT_MS });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Starts a program: input on its standard input, output on descriptor 3, errors on standard error. */
export async function startConfined(program: Program): Promise<ChildProcess> {
  const { file, args } = commandAt(await findLevel(), program);
  return spawn(file, args, { env: {}, detached: true, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] });
}

/**
 * Starts an installed program: input on its standard input, output on its standard output.
 * @returns undefined where it could do whatever the server may
 */
export async function startNative(program: NativeProgram): Promise<ChildProcess | undefined> {
  const command = nativeCommandAt(await findLevel(), program);
  if (!command) return undefined;
  const options = { env: program.variables, detached: true };
  return spawn(command.file, command.args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
}

/**
 * Kills a program with those that confine it, which are a group of their own. Each ends with the one that started it, but
 * not one that was just being started.
 */
export function killGroup(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child;
  try {
    if (pid !== undefined && exitCode === null && signalCode === null)
      process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
  child.kill('SIGKILL');
}

const run = promisify(execFile);

/** The program and what it loads. @throws for what is neither a program nor a script */
export async function filesOf(file: string): Promise<string[]> {
  const interpreter = await interpreterOf(file);
  if (interpreter) return [file, ...(await filesOf(interpreter))];
  const { stdout } = await run('ldd', [file]);
  const loaded = stdout.matchAll(/^\s(?:\S+ => )?(\/\S+)/gm);
  return [...new Set([file, ...Array.from(loaded, ([, found = '']) => found)])];
}

/** The program that runs a script. */
async function interpreterOf(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256);
    return /^#! ?(\/\S+)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
  } finally {
    await handle.close();
  }
}

const WARNINGS: Partial<Record<Level, string>> = {
  user: 'only as another user: they can reach the network. Install bubblewrap, or allow user namespaces',
  'permissions only':
    'only by the permissions of Node. Install bubblewrap, or allow user namespaces',
};

/** The line for the operator. */
export function describeLevel(level: Level): string {
  const warning = WARNINGS[level];
  const line = `Documents and mails are read in confined processes: ${level}`;
  return warning ? `${line} (warning: they are confined ${warning})` : line;
}
