import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand, say } from '@matterdesk/server/operations/command.ts';
import { openSandbox } from './sandbox.ts';

const PORT = 3000;
const PACE = 45;

/** `--pace`: seconds between simulated events. */
function readPace(args: string[]): number {
  const usage = 'npm run demo takes --pace <seconds>';
  try {
    const { values } = parseArgs({ args, options: { pace: { type: 'string' } } });
    const seconds = Number(values.pace ?? PACE);
    if (seconds > 0 && seconds < 86_400) return seconds * 1000;
  } catch {
    // Usage is printed below.
  }
  throw new CommandError(usage);
}

/** A temporary directory, unless DEMO_DIR names one to keep. */
async function openDirectory() {
  const kept = process.env['DEMO_DIR'];
  const dataDir = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'matterdesk-sandbox-'));
  const forget = async () =>
    // Under load the database may still write after the product has ended.
    kept ? undefined : rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
  return { dataDir, forget };
}

await runCommand(async (args) => {
  const pace = readPace(args);
  const port = Number(process.env['PORT'] || PORT);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ending.abort());
  const { dataDir, forget } = await openDirectory();
  try {
    await openSandbox({ dataDir, port, pace, signal: ending.signal });
    say('The sandbox is closed.');
  } finally {
    await forget();
  }
});
