import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@matterdesk/server/testing/free-port.ts';
import { SERVER_FLAGS } from '@matterdesk/server/testing/process.ts';

export const CHECKOUT = path.resolve(import.meta.dirname, '../..');

export type Product = {
  port: number;
  pid: number;
  /** Milliseconds from the start until /readyz succeeds. */
  startedIn: number;
  stop: () => Promise<void>;
};

const LONGEST_START_MS = 60_000;

/** Starts the real server in its own process. */
export async function startProduct(
  dataDir: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Product> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, [...SERVER_FLAGS, path.join(CHECKOUT, 'server/main.ts')], {
    cwd: CHECKOUT,
    env: { ...ownEnvironment(), DATA_DIR: dataDir, PORT: String(port), ...more },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await becomesReady(child, port, begun + LONGEST_START_MS);
  return {
    port,
    pid: child.pid ?? 0,
    startedIn: performance.now() - begun,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Like `npm start`, but with a 1 GB file limit; keeps the compile cache between starts. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE = path.join(CHECKOUT, '.cache/compile') } = process.env;
  return { PATH, NODE_COMPILE_CACHE, MAX_UPLOAD_MB: '2048' };
}

async function becomesReady(child: ChildProcess, port: number, deadline: number): Promise<void> {
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error('The server ended instead of starting');
    if (performance.now() > deadline) throw new Error('The server did not become ready');
    await delay(5);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}
