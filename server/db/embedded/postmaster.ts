import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { explainFailure } from './failure.ts';
import { runAs, type Identity } from './identity.ts';
import { clearPredecessor, isAboutPredecessor, readPidFile } from './predecessor.ts';

export type PostmasterOptions = {
  directory: string;
  socketDirectory: string;
  identity: Identity;
  /** The binary and its arguments. */
  command: readonly string[];
  /** Receives the id of the process that must not outlive this one. */
  guard: (pid: number | undefined) => void;
  log: (line: string) => void;
  onProgress: (step: string) => void;
};

export type Postmaster = {
  pid: number;
  /** Resolves when the process has exited; never rejects. */
  exited: Promise<void>;
  hasExited: () => boolean;
  signal: (name: NodeJS.Signals) => void;
};

type Run = Postmaster & { output: () => string };

const RECOVERY_MS = 10 * 60_000;
const PREDECESSOR_MS = 30_000;
const OUTPUT_MS = 250;
const STOP: { signal: NodeJS.Signals; ms: number }[] = [
  { signal: 'SIGINT', ms: 4000 },
  { signal: 'SIGQUIT', ms: 2000 },
  { signal: 'SIGKILL', ms: 1000 },
];

/**
 * Starts PostgreSQL and waits for connections, retrying while a killed predecessor is still exiting.
 * Throws one sentence on failure, or the reason of `aborted`.
 */
export async function startPostmaster(
  options: PostmasterOptions,
  aborted: AbortSignal,
): Promise<Postmaster> {
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const run = spawnPostmaster(options);
    if (await waitUntilReady(run, options.directory, aborted)) return run;
    await stopPostmaster(run, 'SIGQUIT');
    aborted.throwIfAborted();
    if (!isAboutPredecessor(run.output())) throw explainFailure(options.directory, run.output());
    if (attempt === 1) options.onProgress('Waiting for the previous database process to end');
    if (Date.now() - startedAt > PREDECESSOR_MS)
      throw new Error(
        `${options.directory} is in use by process ${readPidFile(options.directory)?.pid}`,
      );
    clearPredecessor(options.directory, options.socketDirectory);
    await delay(100, undefined, { signal: aborted });
  }
}

/** Stops it gently first, then by stronger signals. */
export async function stopPostmaster(
  postmaster: Postmaster,
  firstSignal: NodeJS.Signals = 'SIGINT',
): Promise<void> {
  const first = STOP.findIndex(({ signal }) => signal === firstSignal);
  for (const { signal, ms } of STOP.slice(first)) {
    if (postmaster.hasExited()) return;
    postmaster.signal(signal);
    const waiting = new AbortController();
    const timeout = delay(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([postmaster.exited, timeout]);
    waiting.abort();
  }
}

function spawnPostmaster(postmaster: PostmasterOptions): Run {
  const { file, args, options } = runAs(postmaster.identity, postmaster.command);
  let output = '';
  let hasExited = false;
  // Detached, because Ctrl-C must not reach it before the application finishes its requests.
  const child = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  postmaster.guard(child.pid);
  createInterface({ input: child.stderr }).on('line', (line) => {
    output = `${output}${line}\n`.slice(-4000);
    postmaster.log(line);
    if (line.includes('automatic recovery in progress'))
      postmaster.onProgress('Recovering the database after a crash');
  });
  const exited = exitWithOutput(child).then((error) => {
    output += error;
    hasExited = true;
    postmaster.guard(undefined);
  });
  return {
    pid: child.pid ?? 0,
    exited,
    hasExited: () => hasExited,
    signal: (name) => void child.kill(name),
    output: () => output,
  };
}

/** Resolves with the start failure, if any. Children of a killed process may keep its output open. */
function exitWithOutput(child: ChildProcess): Promise<string> {
  const closed = new Promise<string>((resolve) => child.once('close', () => resolve('')));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(String(error)));
    child.once('exit', () => resolve(Promise.race([closed, delay(OUTPUT_MS, '', { ref: false })])));
  });
}

async function waitUntilReady(run: Run, directory: string, aborted: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + RECOVERY_MS;
  while (!run.hasExited() && !aborted.aborted && Date.now() < deadline) {
    const found = readPidFile(directory);
    if (found?.pid === run.pid && found.isReady) return true;
    await delay(10);
  }
  return false;
}
