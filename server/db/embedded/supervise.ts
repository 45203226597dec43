import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { explainFailure } from './failure.ts';
import { runAs, type Identity } from './identity.ts';
import { clearPredecessor, isAboutPredecessor, readPidFile } from './predecessor.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
const STEADY_MS = 60_000;

/**
 * Starts PostgreSQL, and restarts it after crashes with growing pauses, until `stop`.
 * Throws one sentence if the first start fails.
 */
export async function supervise(
  base: Omit<PostmasterOptions, 'guard'>,
): Promise<{ stop: () => Promise<void> }> {
  const watchdog = startWatchdog();
  const options = { ...base, guard: watchdog.guard };
  const stopping = new AbortController();
  let current = await startPostmaster(options, stopping.signal).catch((error: unknown) => {
    watchdog.dismiss();
    throw error;
  });

  async function keepRunning() {
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const startedAt = Date.now();
      await current.exited;
      if (stopping.signal.aborted) return;
      options.log('PostgreSQL exited unexpectedly; restarting it');
      pause = Date.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : longer(pause);
      const next = await restart(options, pause, stopping.signal);
      if (!next) return;
      current = next;
    }
  }

  async function stop() {
    stopping.abort();
    await stopPostmaster(current);
    await running;
    watchdog.dismiss();
  }

  const running = keepRunning();
  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= stop()) };
}

/** Retries until it runs; undefined once `stopping`. */
async function restart(
  options: PostmasterOptions,
  pause: number,
  stopping: AbortSignal,
): Promise<Postmaster | undefined> {
  try {
    await delay(pause, undefined, { signal: stopping });
    return await startPostmaster(options, stopping);
  } catch (error) {
    if (stopping.aborted) return undefined;
    options.log(error instanceof Error ? error.message : String(error));
    return restart(options, longer(pause), stopping);
  }
}

function longer(pause: number): number {
  return Math.min(pause * 2, MAX_PAUSE_MS);
}

type PostmasterOptions = {
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

type Postmaster = {
  pid: number;
  /** Resolves when the process has exited; never rejects. */
  exited: Promise<void>;
  hasExited: () => boolean;
  signal: (name: NodeJS.Signals) => void;
};

type Run = Postmaster & { output: () => string };

const RECOVERY_TIMEOUT_MS = 10 * 60_000;
const PREDECESSOR_TIMEOUT_MS = 30_000;
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
async function startPostmaster(
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
    if (Date.now() - startedAt > PREDECESSOR_TIMEOUT_MS)
      throw new Error(
        `${options.directory} is in use by process ${readPidFile(options.directory)?.pid}`,
      );
    clearPredecessor(options.directory, options.socketDirectory);
    await delay(100, undefined, { signal: aborted });
  }
}

/** Stops it gently first, then by stronger signals. */
async function stopPostmaster(
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
  const deadline = Date.now() + RECOVERY_TIMEOUT_MS;
  while (!run.hasExited() && !aborted.aborted && Date.now() < deadline) {
    const found = readPidFile(directory);
    if (found?.pid === run.pid && found.isReady) return true;
    await delay(10);
  }
  return false;
}

type Watchdog = {
  /** The process to stop if this one dies, if any. */
  guard: (pid: number | undefined) => void;
  dismiss: () => void;
};

// Its standard input closes when our process ends, even by kill -9.
const SCRIPT = `
pid=
while read -r line; do pid=$line; done
[ -n "$pid" ] || exit 0
for signal in INT QUIT KILL; do
  kill -"$signal" "$pid" 2>/dev/null || exit 0
  tenths=0
  while [ "$tenths" -lt 50 ] && kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
done`;

/** A shell that outlives this process just long enough to stop PostgreSQL. */
function startWatchdog(): Watchdog {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    guard: (pid) => void shell.stdin.write(`${pid ?? ''}\n`),
    dismiss: () => void shell.stdin.end('\n'),
  };
}
