import { spawn } from 'node:child_process';

export type Watchdog = {
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
export function startWatchdog(): Watchdog {
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
