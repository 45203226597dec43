import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { commandAt, LEVELS, type Level, type Program } from './levels.ts';

/** Milliseconds for a trial; a busy machine takes seconds. */
const PATIENCE = 60_000;
const trial: Program = { script: path.join(import.meta.dirname, 'trial.ts'), heap: 100 };

let chosen: Promise<Level> | undefined;

/**
 * The strongest level that works on this machine, found by trying.
 * @throws when Node does not even start with permissions of its own
 */
export function findLevel(): Promise<Level> {
  return (chosen ??= choose());
}

async function choose(): Promise<Level> {
  for (const level of LEVELS) if (await works(level)) return level;
  throw new Error('Documents and mails cannot be read here: setpriv and prlimit are missing');
}

/** Whether a program that loads native code runs at this level. */
export function works(level: Level): Promise<boolean> {
  if (level === 'user' && process.getuid?.() !== 0) return Promise.resolve(false);
  const { file, args } = commandAt(level, trial);
  const child = spawn(file, args, { env: {}, stdio: 'ignore', timeout: PATIENCE });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Starts a program: input on its standard input, output on descriptor 3, errors on standard error. */
export async function startConfined(program: Program): Promise<ChildProcess> {
  const { file, args } = commandAt(await findLevel(), program);
  return spawn(file, args, { env: {}, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] });
}

const WARNINGS: Partial<Record<Level, string>> = {
  user: 'only as another user: they can reach the network. Install bubblewrap, or allow user namespaces',
  'permissions only':
    'only by the permissions of Node. Install bubblewrap, or allow user namespaces',
};

/** The line for the operator. */
export function describeLevel(level: Level): string {
  const warning = WARNINGS[level];
  const line = `Documents and mails are read in confined processes: ${level}`;
  return warning ? `${line} (warning: they are confined ${warning})` : line;
}
