import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './requirements.mjs';

/**
 * Runs in the checkout with our stdio and ends this process with the same exit code. It receives
 * the first stop signal; with `isTied` also our death, by `disconnect`.
 */
export function becomeParentOf(file, args, { isTied }) {
  const bin = path.join(ROOT, 'node_modules/.bin');
  const child = spawn(file, args, {
    cwd: ROOT,
    env: {
      // The compile cache cuts a third of the start; an unwritable one is skipped.
      NODE_COMPILE_CACHE: path.join(ROOT, '.cache/compile'),
      ...process.env,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    },
    stdio: ['inherit', 'inherit', 'inherit', ...(isTied ? ['ipc'] : [])],
  });
  let isStopping = false;
  const stop = (signal) => {
    if (!isStopping) child.kill(signal);
    isStopping = true;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  whenNpmIsGone(() => stop('SIGTERM'));
  child.once('error', (error) => {
    process.stderr.write(`${file} cannot be run: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(exitCodeOf(code, signal)));
}

const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'busybox', 'ksh', 'zsh']);
const INTERVAL_MS = 250;

/**
 * Calls back when the npm that started us ends. At best npm passes signals on to the shell between us,
 * never SIGKILL, which would leave us behind.
 */
function whenNpmIsGone(callback) {
  if (!process.env['npm_lifecycle_event']) return;
  const ours = lineage();
  const timer = setInterval(() => {
    if (lineage() === ours) return;
    clearInterval(timer);
    callback();
  }, INTERVAL_MS);
  timer.unref();
}

/** Our parent, and its parent if it is a script's shell. */
function lineage() {
  const parent = process.ppid;
  try {
    const status = fs.readFileSync(`/proc/${parent}/status`, 'utf8');
    const name = /^Name:\s*(.*)$/m.exec(status)?.[1];
    const above = /^PPid:\s*(\d+)/m.exec(status)?.[1];
    return SHELLS.has(name) ? `${parent} ${above}` : `${parent}`;
  } catch {
    return `${parent}`;
  }
}

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Exit code of a process as shells report it. */
export function exitCodeOf(code, signal) {
  return code ?? 128 + (os.constants.signals[signal] ?? 0);
}
