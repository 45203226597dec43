import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { PROGRAM_ENV } from './process.ts';

type Command = 'backup' | 'restore' | 'verify';

/** Runs a command on a DATA_DIR, with the arguments of `npm run <command> --`. */
export async function runOperation(
  command: Command,
  dataDir: string,
  { args = [], env: own = {} }: { args?: string[]; env?: Record<string, string> } = {},
) {
  const script = path.join(import.meta.dirname, `../operations/${command}.ts`);
  const env = { ...PROGRAM_ENV, DATA_DIR: dataDir, ...own };
  const child = spawn(process.execPath, [script, ...args], { env });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}
