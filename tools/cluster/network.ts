import { execFileSync, spawnSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../checks/run.ts';

/** A machine of the test: a network namespace, or else a loopback address of its own. */
export type Machine = {
  /** Address at which the others reach it. */
  address: string;
  /** Its own 127.0.0.1. */
  loopback: string;
  /** Prefix of commands that run on it. */
  prefix: readonly string[];
  /** Its cable is pulled; undefined where machines share the loopback. */
  cable: { disconnect: () => void; connect: () => void } | undefined;
};

export type Network = {
  /** Address of the machine that the test runs on, for the two others. */
  gateway: string;
  /** That all machines are in, as `address/bits`. */
  subnet: string;
  machines: [Machine, Machine];
  remove: () => void;
};

const PREFIX = 'matterdesk-';

/** Two machines beside this one: network namespaces where the kernel lets us make some. */
export function layNetwork(): Network {
  removeLeftovers();
  try {
    return layCables();
  } catch {
    removeNamespaces(process.pid);
    return useLoopback();
  }
}

function layCables(): Network {
  const net = `10.213.${process.pid % 256}`;
  const machines: [Machine, Machine] = [layCable(net, 0), layCable(net, 4)];
  return {
    gateway: `${net}.1`,
    subnet: `${net}.0/24`,
    machines,
    remove: () => removeNamespaces(process.pid),
  };
}

/** A pair of interfaces; ours has the first address of four, the machine's the second. */
function layCable(net: string, first: number): Machine {
  const name = `${PREFIX}${process.pid}-${first}`;
  const ours = cableOf(process.pid, first);
  const [router, address] = [`${net}.${first + 1}`, `${net}.${first + 2}`];
  ip('netns', 'add', name);
  ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', 'cable', 'netns', name);
  ip('addr', 'add', `${router}/30`, 'dev', ours);
  ip('link', 'set', ours, 'up');
  ip('-n', name, 'addr', 'add', `${address}/30`, 'dev', 'cable');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  const connect = () => {
    ip('-n', name, 'link', 'set', 'cable', 'up');
    ip('-n', name, 'route', 'replace', 'default', 'via', router);
  };
  connect();
  return {
    address,
    loopback: '127.0.0.1',
    prefix: ['ip', 'netns', 'exec', name],
    cable: { disconnect: () => ip('-n', name, 'link', 'set', 'cable', 'down'), connect },
  };
}

function useLoopback(): Network {
  const machine = (address: string): Machine => ({
    address,
    loopback: address,
    prefix: [],
    cable: undefined,
  });
  return {
    gateway: '127.0.0.1',
    subnet: '127.0.0.0/8',
    machines: [machine('127.0.1.1'), machine('127.0.1.2')],
    remove: () => undefined,
  };
}

/** Removes the namespaces of runs that were killed. */
function removeLeftovers(): void {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  const alive = new Set(readdirSync('/proc'));
  for (const [, pid = ''] of (stdout ?? '').matchAll(/^matterdesk-(\d+)-\d/gm))
    if (!alive.has(pid)) removeNamespaces(Number(pid));
}

/**
 * The cables first: the kernel takes those of a removed namespace away some seconds later, and the requests of a browser
 * that is open by then end with ERR_NETWORK_CHANGED.
 */
function removeNamespaces(pid: number): void {
  for (const first of [0, 4]) {
    spawnSync('ip', ['link', 'del', cableOf(pid, first)], { stdio: 'ignore' });
    spawnSync('ip', ['netns', 'del', `${PREFIX}${pid}-${first}`], { stdio: 'ignore' });
  }
}

function cableOf(pid: number, first: number): string {
  return `md${pid}-${first}`;
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}

/** Milliseconds, generous for slow machines. */
const READY_WITHIN = 60_000;

/** A daemon of another project, with what it printed. */
export type Program = {
  command: string;
  pid: number;
  output: () => string;
  isRunning: () => boolean;
  signal: (name: NodeJS.Signals) => void;
  /** Resolves when it has ended. */
  stop: (name: NodeJS.Signals) => Promise<void>;
};

/** Waits until `isReady`, which may reject. @throws when a program has ended, with what it printed */
export async function waitFor(isReady: () => Promise<boolean>, programs: Program[]): Promise<void> {
  const begun = Date.now();
  while (!(await isReady().catch(() => false))) {
    const ended = programs.find((program) => !program.isRunning());
    if (ended) throw new Error(`${ended.command} ended: ${ended.output()}`);
    if (Date.now() - begun > READY_WITHIN)
      throw new Error(programs.map(({ output }) => output()).join('\n'));
    await delay(50);
  }
}

/** Starts `command`, whose process stays in the foreground. */
export function startProgram(command: readonly string[]): Program {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.once('error', (error) => (output += error.message));
  return {
    command: command.join(' '),
    pid: Number(child.pid),
    output: () => output,
    isRunning: () => isRunning(child),
    signal: (name) => void child.kill(name),
    async stop(name) {
      if (!isRunning(child)) return;
      const ended = once(child, 'exit');
      child.kill(name);
      // A stopped process takes other signals only after it continues.
      child.kill('SIGCONT');
      await ended;
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

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
