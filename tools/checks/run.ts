import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

const bin = `${root}/node_modules/.bin`;
const running = new Set<ChildProcess>();

/** A command of ours or of a package, in the checkout. */
export type Command = { file: string; args: string[]; cwd?: string; env?: Record<string, string> };

/** A failed command; `output` is what it printed that has not been shown yet. */
export class CommandFailed extends Error {
  readonly output: string;

  constructor(command: Command, output: string) {
    super(`${command.file} ${command.args.join(' ')} failed`);
    this.output = output;
  }
}

/** Runs it with its output on ours. Throws when it fails. */
export async function runStreamed(command: Command): Promise<void> {
  const child = start(command, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (!(await succeeds(child))) throw new CommandFailed(command, '');
}

/** Runs it and returns its output. Throws when it fails. */
export async function runQuietly(command: Command): Promise<string> {
  const child = start(command, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => (output += part));
  }
  if (!(await succeeds(child))) throw new CommandFailed(command, output);
  return output;
}

/** Passes a signal on to the running commands. */
export function signalAll(signal: NodeJS.Signals): void {
  for (const child of running) child.kill(signal);
}

function start({ file, args, cwd = root, env }: Command, options: SpawnOptions): ChildProcess {
  const child = spawn(file, args, {
    ...options,
    cwd,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...env },
  });
  running.add(child);
  return child;
}

async function succeeds(child: ChildProcess): Promise<boolean> {
  try {
    return await new Promise((settle, refuse) => {
      child.once('error', refuse);
      child.once('close', (code) => settle(code === 0));
    });
  } finally {
    running.delete(child);
  }
}

/** The variable that makes the test runners take the files named `*.long.test.ts` and `*.long.spec.ts` too. */
export const LONG = 'MATTERDESK_LONG_TESTS';

/** The variable that makes the test runner take those of tools/cluster. */
export const CLUSTER = 'MATTERDESK_CLUSTER_TESTS';

/** The variable that makes the test runner take those of server/testing/attack. */
export const ATTACK = 'MATTERDESK_ATTACK_TESTS';

export const longTests = '**/*.long.test.ts';
