import { spawn } from 'node:child_process';
import { ROOT } from './requirements.mjs';
import { exitCodeOf, STOP_SIGNALS } from './signals.mjs';

const TICK_MS = 5000;
/** Loaded first, it ends a Node process when the launcher is gone. */
export const TETHER = new URL('./tether.mjs', import.meta.url).href;

/**
 * Runs a Node script (or npm) that may take long: tells how long it has been at it, and shows its
 * output only if it fails. Throws one sentence then. A signal to us ends it, and us.
 */
export async function runStep(label, { file, args, cwd = ROOT, env }) {
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  console.log(`${label} …`);
  const timer = setInterval(() => console.log(`… ${seconds()} s`), TICK_MS);
  const tied = file === 'npm' ? args : ['--import', TETHER, ...args];
  const child = spawn(file, tied, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  try {
    const { output, code, signal } = await ended(child);
    if (code !== 0) {
      process.stderr.write(output);
      throw new Error(`${label} failed (${signal ?? `exit code ${code}`})`);
    }
    console.log(`${label}: done in ${seconds()} s`);
  } finally {
    clearInterval(timer);
  }
}

async function ended(child) {
  let output = '';
  let interruption;
  const stop = (signal) => {
    interruption = signal;
    child.kill(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code, signal] = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve([1, undefined]);
    });
    child.once('close', (...end) => resolve(end));
  });
  for (const name of STOP_SIGNALS) process.off(name, stop);
  if (interruption) process.exit(exitCodeOf(null, interruption));
  return { output, code, signal };
}
