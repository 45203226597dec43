import fs from 'node:fs';

const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'busybox', 'ksh', 'zsh']);
const INTERVAL_MS = 250;

/**
 * Calls back when the npm that started us ends. At best npm passes signals on to the shell between us,
 * never SIGKILL, which would leave us behind.
 */
export function whenNpmIsGone(callback) {
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
