import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@matterdesk/server/testing/process.ts';

/** The running product. */
export type Matterdesk = {
  /** Without a trailing slash. */
  url: string;
  dataDir: string;
  pid: number;
  /** Output so far. */
  output: () => string;
  /** Stops it with a signal; temporary data is removed. */
  stop: () => Promise<void>;
  /** Kills it like a power failure; the data stays. */
  kill: () => Promise<void>;
  /** Resolves when it has exited, for any reason. */
  ended: Promise<void>;
};

export type MatterdeskOptions = {
  env?: Record<string, string>;
  /** The caller's directory; default a temporary one. */
  dataDir?: string;
  /** Default a free port. */
  port?: number;
  /** Host name or address of this machine; default 127.0.0.1. */
  hostname?: string;
  /** 'ai': the AI service alone. */
  args?: string[];
};

/** Variable that names a template of fresh data: copying is faster than creating. */
export const TEMPLATE = 'MATTERDESK_E2E_TEMPLATE';

const root = resolve(import.meta.dirname, '../../..');
const readyWithin = 60_000;
const stoppedWithin = 15_000;

/** Starts the real product on its own data and waits until it is ready. Throws its output on failure. */
export async function startMatterdesk(options: MatterdeskOptions = {}): Promise<Matterdesk> {
  const port = options.port ?? (await freePort());
  const url = `http://${options.hostname ?? '127.0.0.1'}:${port}`;
  const dataDir = options.dataDir ?? (await newDataDir());
  const forget = options.dataDir
    ? async () => undefined
    : () => rm(dataDir, { recursive: true, force: true });
  const child = spawn(
    join(root, 'node_modules/.bin/node'),
    ['server/main.ts', ...(options.args ?? [])],
    {
      cwd: root,
      // The browser's origin, to which redirects return.
      env: {
        ...process.env,
        PORT: String(port),
        PUBLIC_URL: url,
        DATA_DIR: dataDir,
        ...options.env,
      },
      // The channel reports our end, however violent, so that it does not outlive us.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const output = collectOutput(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await ready(url, child);
  } catch (error) {
    await end(child, 'SIGTERM');
    await forget();
    throw new Error(`Matterdesk did not start:\n${output()}`, { cause: error });
  }
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    output,
    stop: async () => {
      await end(child, 'SIGTERM');
      await forget();
    },
    kill: () => end(child, 'SIGKILL'),
    ended,
  };
}

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'matterdesk-e2e-'));
  const template = process.env[TEMPLATE];
  // cp preserves owners and modes, which the database verifies.
  if (template) await promisify(execFile)('cp', ['-a', `${template}/.`, dataDir]);
  return dataDir;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + readyWithin;
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(50);
  }
  throw new Error(`it was not ready within ${readyWithin / 1000} s`);
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const lastResort = setTimeout(() => child.kill('SIGKILL'), stoppedWithin);
  await exited;
  clearTimeout(lastResort);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-100_000);
    });
  }
  return () => text;
}
