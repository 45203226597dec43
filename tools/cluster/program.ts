import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds, generous for slow machines. */
const READY_WITHIN = 60_000;

/** A daemon of another project, with what it printed. */
export type Program = {
  command: string;
  pid: number;
  output: () => string;
  isRunning: () => boolean;
  signal: (name: NodeJS.Signals) => void;
  /** Resolves when it has ended. */
  stop: (name: NodeJS.Signals) => Promise<void>;
};

/** Waits until `isReady`, which may reject. @throws when a program has ended, with what it printed */
export async function waitFor(isReady: () => Promise<boolean>, programs: Program[]): Promise<void> {
  const begun = Date.now();
  while (!(await isReady().catch(() => false))) {
    const ended = programs.find((program) => !program.isRunning());
    if (ended) throw new Error(`${ended.command} ended: ${ended.output()}`);
    if (Date.now() - begun > READY_WITHIN)
      throw new Error(programs.map(({ output }) => output()).join('\n'));
    await delay(50);
  }
}

/** Starts `command`, whose process stays in the foreground. */
export function startProgram(command: readonly string[]): Program {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.once('error', (error) => (output += error.message));
  return {
    command: command.join(' '),
    pid: Number(child.pid),
    output: () => output,
    isRunning: () => isRunning(child),
    signal: (name) => void child.kill(name),
    async stop(name) {
      if (!isRunning(child)) return;
      const ended = once(child, 'exit');
      child.kill(name);
      // A stopped process takes other signals only after it continues.
      child.kill('SIGCONT');
      await ended;
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
