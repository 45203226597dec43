import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findRunningPostgres } from '../db/embedded/connections.ts';
import { createClient, type Client } from './client.ts';
import { copyCluster } from './database.ts';

/** The flags of `npm start`: tools/launch/requirements.mjs. */
export const SERVER_FLAGS = [
  '--max-semi-space-size=16',
  '--scavenger-max-new-space-capacity-mb=4',
  '--heap-growing-percent=100',
];
const CHECKOUT = path.resolve(import.meta.dirname, '../..');
/** The launcher's Node flags and compile cache, which save a third of the start. */
export const PROGRAM_ENV = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../.cache/compile'),
};

type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A server in its own process group. */
export type ServerProcess = Client & {
  pid: number;
  output: () => { stdout: string; stderr: string };
  /** Resolves when it accepts requests; rejects with its output when it exits before. */
  ready: Promise<void>;
  exited: Promise<Exit>;
  /** Processes in its tree now, itself included. */
  tree: () => number[];
  /** Processes of its tree that serve, if it runs several, in the order in which they were started. */
  workers: () => number[];
  /** Processes ever seen by `tree` that are still alive. */
  left: () => number[];
  /** Signals the process alone, or its group like a terminal. */
  signal: (name: NodeJS.Signals, to?: 'process' | 'group') => void;
  /** Kills every process of its tree at once. */
  kill: () => Promise<void>;
};

type ProcessOptions = {
  env: Record<string, string>;
  cwd?: string;
  args?: string[];
  /** Goes before the command, such as to run it on another machine. */
  prefix?: readonly string[];
  /** Checkout of the release to start; default this one. */
  checkout?: string;
};

/** Starts `server/main.ts` with these variables only; PORT is required. */
export function startProcess({
  env,
  cwd,
  args = [],
  prefix = [],
  checkout = CHECKOUT,
}: ProcessOptions): ServerProcess {
  const main = path.join(checkout, 'server/main.ts');
  const [file = '', ...rest] = [...prefix, process.execPath, ...SERVER_FLAGS, main, ...args];
  const child = spawn(file, rest, {
    cwd,
    env: { ...PROGRAM_ENV, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const pid = Number(child.pid);
  const exited = new Promise<Exit>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  const seen = new Set([pid]);
  const tree = () => {
    const pids = treeOf([...seen]);
    for (const one of pids) seen.add(one);
    return pids;
  };
  return {
    ...createClient(`http://${env['HOST'] || '127.0.0.1'}:${env['PORT']}`, () => output().stderr),
    pid,
    output,
    ready: isReady(child, output),
    exited,
    tree,
    workers: () =>
      tree()
        .filter((one) => one !== pid && commandOf(one).includes('server/main.ts'))
        .toSorted((a, b) => startOf(a) - startOf(b)),
    left: tree,
    signal: (name, to = 'process') => void process.kill(to === 'group' ? -pid : pid, name),
    async kill() {
      for (const one of tree()) sendKill(one);
      await exited;
    },
  };
}

/** A new DATA_DIR with the database of a first start, and a free port. */
export async function newPlace() {
  const base = mkdtempSync(path.join(os.tmpdir(), 'matterdesk-place-'));
  const dataDir = path.join(base, 'data');
  copyCluster(dataDir);
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), LOG_LEVEL: 'error' };
  return { dataDir, env, remove: () => removeAll(base) };
}

/** A connection to the database of a running server. */
export async function connectTo({ dataDir }: { dataDir: string }): Promise<pg.Client> {
  const client = new pg.Client(findRunningPostgres(path.join(dataDir, 'postgres'))?.connection);
  await client.connect();
  return client;
}

/** Removes a directory of processes that may still be writing after a kill. */
export function removeAll(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function collect(child: ChildProcess) {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data) => (output.stdout += String(data)));
  child.stderr?.on('data', (data) => (output.stderr += String(data)));
  return () => ({ ...output });
}

function isReady(child: ChildProcess, output: () => { stdout: string; stderr: string }) {
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (output().stdout.includes('Matterdesk is ready at ')) resolve();
    });
    child.once('close', () => reject(new Error(output().stderr || 'it ended without a word')));
  });
  // The caller may only wait for the exit.
  ready.catch(() => undefined);
  return ready;
}

/** Living processes among these and their descendants. */
export function treeOf(roots: number[]): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(Number(name));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const found = roots.filter((pid) => parents.has(pid));
  for (const pid of found)
    for (const [one, parent] of parents)
      if (parent === pid && !found.includes(one)) found.push(one);
  return found;
}

/** Undefined for exited processes and zombies. */
function parentOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (/^State:\s+[ZX]/m.test(status)) return undefined;
    return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
  } catch {
    return undefined;
  }
}

/** Fields of `/proc/<pid>/stat` behind the name, which may have blanks, before the time of the start. */
const BEFORE_START = 19;

/** Ticks from the start of the machine. Numbers of processes start over, so that they say less. */
function startOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[BEFORE_START] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** Empty for exited processes. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function sendKill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It exited together with another one.
  }
}

// Below the ports that the system assigns by itself, so that no one takes it between the check and its
// use; and above 10080, the last of those that `fetch` refuses (https://fetch.spec.whatwg.org/#port-blocking).
const FIRST = 10_081;
const END = 32_000;

export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, END);
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/** Starts a killed server again, once its port is free: it was seen taken for a moment after the end of the process. */
export async function startAgain(options: ProcessOptions): Promise<ServerProcess> {
  while (!(await isFree(Number(options.env['PORT'])))) await delay(20);
  return startProcess(options);
}

type Command = 'backup' | 'restore' | 'verify' | 'import';

/** Runs a command on a DATA_DIR, with the arguments of `npm run <command> --`. */
export async function runOperation(
  command: Command,
  dataDir: string,
  { args = [], env: own = {} }: { args?: string[]; env?: Record<string, string> } = {},
) {
  const script = path.join(import.meta.dirname, `../operations/${command}.ts`);
  const env = { ...PROGRAM_ENV, DATA_DIR: dataDir, ...own };
  const child = spawn(process.execPath, [script, ...args], { env });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}
