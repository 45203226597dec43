// Installs, builds and starts, before any package is there.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { whenNpmIsGone } from './lineage.mjs';
import { ROOT } from './requirements.mjs';
import { exitCodeOf, STOP_SIGNALS } from './signals.mjs';

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
