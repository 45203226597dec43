import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

/** A machine of the test: a network namespace, or else a loopback address of its own. */
export type Machine = {
  /** Where the others reach it. */
  address: string;
  /** Its own 127.0.0.1. */
  loopback: string;
  /** Prefix of commands that run on it. */
  prefix: readonly string[];
  /** Its cable is pulled; undefined where machines share the loopback. */
  cable: { pull: () => void; plug: () => void } | undefined;
};

export type Network = {
  /** Of the machine that the test runs on, for the two others. */
  hub: string;
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
    hub: `${net}.1`,
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
  const plug = () => {
    ip('-n', name, 'link', 'set', 'cable', 'up');
    ip('-n', name, 'route', 'replace', 'default', 'via', router);
  };
  plug();
  return {
    address,
    loopback: '127.0.0.1',
    prefix: ['ip', 'netns', 'exec', name],
    cable: { pull: () => ip('-n', name, 'link', 'set', 'cable', 'down'), plug },
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
    hub: '127.0.0.1',
    subnet: '127.0.0.0/8',
    machines: [machine('127.0.1.1'), machine('127.0.1.2')],
    remove: () => undefined,
  };
}

/** Of runs that were killed. */
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
