import { spawn } from 'node:child_process';
import { ROOT } from './requirements.mjs';
import { exitCodeOf, STOP_SIGNALS } from './signals.mjs';

const TICK_MS = 5000;
const GRACE_MS = 2000;
/** Preloaded, it ends a Node process together with the launcher. */
export const TETHER = new URL('./tether.mjs', import.meta.url).href;

/**
 * Runs a slow Node script (or npm), reports elapsed time and shows the
 * output only on failure. Throws one sentence then. Signals end both it and us.
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
    // npm cleans up slowly; leftovers are found stale next time.
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
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
